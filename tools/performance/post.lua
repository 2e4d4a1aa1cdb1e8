-- One call of a load: a hundred keywords.
local items = {}
for i = 1, 100 do
	items[i] = string.format('{"keyword":"red running shoes %d","keyword_type":"target"}', 400000 + i)
end
wrk.method = "POST"
wrk.body = '{"account_id":1,"campaign_id":101,"keywords":[' .. table.concat(items, ",") .. "]}"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Bearer t"
