#!/usr/bin/env bash
# Measures whole processes against a service on loopback, beside curl, jq,
# mlr and wrk, and writes the table of docs/performance.md. It takes some
# minutes and a machine that does nothing else. It needs Linux, go, curl, jq,
# mlr, wrk, hyperfine and GNU time.
set -euo pipefail
cd "$(dirname "$0")/../.."

missing=
for tool in go curl jq mlr wrk hyperfine; do
	command -v "$tool" >/dev/null || missing="$missing $tool"
done
[ -z "$missing" ] || {
	echo "missing:$missing" >&2
	exit 1
}

page=$PWD/docs/performance.md
dir=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$dir"' EXIT
export CGO_ENABLED=0
mkdir "$dir/bare" "$dir/home"
printf 'package main\n\nimport "os"\n\nfunc main() { _, _ = os.Stdout.WriteString("bare\\n") }\n' >"$dir/bare/main.go"
go build -trimpath -ldflags '-s -w' -o "$dir/reseller" .
go build -trimpath -ldflags '-s -w' -o "$dir/bin-bare" "$dir/bare/main.go"
go build -C tools -trimpath -o "$dir/performance" ./performance
cp tools/performance/post.lua "$dir"
cd "$dir"
unset "${!RESELLER_@}" "${!XDG_@}"
export HOME=$dir/home XDG_STATE_HOME=$dir/state RESELLER_TOKEN=t PATH=$dir:$PATH

performance >address &
server=$!
until [ -s address ]; do sleep 0.05; done
url=$(cat address)

note() { printf '%s\n' "$*" >&2; }
# race ROUNDS COMMAND... sets the median of wall (ms) and the peak (KiB) of one run, one for each command.
race() {
	hyperfine --style none --warmup 1 --runs "$1" --export-json figures -- "${@:2}"
	mapfile -t wall < <(jq '.results[].median * 1000' figures)
	peak=()
	for command in "${@:2}"; do
		env time -f %M -o kib sh -c "$command" >/dev/null
		peak+=("$(tail -1 kib)")
	done
}
calc() { awk "BEGIN { printf \"%.$1f\", $2 }"; }
ms() { calc "${2:-0}" "$1"; }
mb() { calc 1 "$1/1024"; }
row() { printf '| %s | %s | %s | %s |\n' "$@" >>table; }
list() { echo "reseller keywords list --base-url $url/$1 $2"; }

note "start"
race 60 bin-bare "reseller version"
row '`reseller version`' '2.5 × a bare Go program' "$(ms "${wall[1]}" 2) ms, bare $(ms "${wall[0]}" 2) ms" "$(calc 2 "${wall[1]}/${wall[0]}") ×"
race 60 "curl -s -H Authorization:t $url/1/api/v2/accounts/1" "reseller accounts get 1 -o json --base-url $url/1"
row '`accounts get 1 -o json`' '0.6 × curl' "$(ms "${wall[1]}" 2) ms, curl $(ms "${wall[0]}" 2) ms" "$(calc 2 "${wall[1]}/${wall[0]}") ×"

note "lists"
keywords="curl -s $url/400000/api/v1/keywords"
fields='[.rank_id,.account_id,.campaign_id,.keyword,.type,.status,.rank_google_organic,.rank_google_map]|@csv'
eval "$(list 400000 '-o ndjson')" >keywords.ndjson
race 9 "$(list 400000 '-o csv')" "$(list 400000 '')" "$(list 10000 '')"
csv=${wall[0]} table=("${wall[@]:1}") flat=("${peak[@]}")
race 3 "$keywords | jq -r '.data[]|$fields'"
row '400,000 keywords to csv' '35 × faster than `curl \| jq -r @csv`, at least 20 ×' "$(ms "$csv") ms, curl and jq $(ms "${wall[0]}") ms" "$(calc 1 "${wall[0]}/$csv") × faster"
row 'a table of 10,000 rows' '0.5 s' "$(ms "${table[1]}") ms" "$(calc 2 "${table[1]}/500") ×"
row 'a table of 400,000 rows in a pipe' '0.5 s, memory as constant as for csv' "$(ms "${table[0]}") ms, $(mb "${flat[1]}") MB, csv $(mb "${flat[0]}") MB" "$(calc 2 "${table[0]}/500") ×"

race 5 "$(list 400000 '-o csv')" "$(list 400000 '-o xlsx')"
row '400,000 keywords to xlsx' '64 MB' "$(ms "${wall[1]}") ms, $(mb "${peak[1]}") MB, csv $(ms "${wall[0]}") ms, $(mb "${peak[0]}") MB" "$(calc 2 "${wall[1]}/${wall[0]}") ×"

note "finding"
race 3 "$keywords | jq -r '.data[]|select(.rank_google_organic<10)|$fields'" "mlr --ijsonl --ocsv sort -f keyword keywords.ndjson" \
	"$(list 400000 "-o csv --where 'rank_google_organic<10'")" "$(list 400000 '-o csv --sort keyword')" "$(list 400000 '-o csv --limit 10')"
row '`--where rank_google_organic<10`' 'faster than jq' "$(ms "${wall[2]}") ms, $(mb "${peak[2]}") MB, jq $(ms "${wall[0]}") ms" "$(calc 2 "${wall[2]}/${wall[0]}") ×"
row '`--sort keyword`' 'faster than mlr, which holds all rows' "$(ms "${wall[3]}") ms, $(mb "${peak[3]}") MB, mlr $(ms "${wall[1]}") ms, $(mb "${peak[1]}") MB" "$(calc 2 "${wall[3]}/${wall[1]}") ×"
row '`--limit 10`' '' "$(ms "${wall[4]}") ms, $(mb "${peak[4]}") MB" ''

note "memory"
race 1 "$(list 4000 '-o csv')" "$(list 4000000 '-o csv')"
row 'peak memory of csv, 4,000 and 4,000,000 records' '24 MB, equal' "$(mb "${peak[0]}") MB, $(mb "${peak[1]}") MB" "$(calc 2 "${peak[1]}/${peak[0]}") ×"

note "jq"
for program in '.keyword' "$fields"; do
	race 3 "$keywords | jq -rc '.data[]|$program'" "$(list 400000 "--jq '.[]|$program'")"
	row "\`--jq '.[] \\| ${program//|/ \\| }'\`" 'no slower than jq' "$(ms "${wall[1]}") ms, $(mb "${peak[1]}") MB, jq $(ms "${wall[0]}") ms, $(mb "${peak[0]}") MB" "$(calc 2 "${wall[1]}/${wall[0]}") ×"
done

note "export"
race 1 "reseller reports keywords --all -o csv --base-url $url/2000"
row 'export of 2,000 campaigns at 20 ms' '1.08 × latency × calls ÷ concurrency' "$(ms "${wall[0]}/1000" 2) s of 5 s, $(mb "${peak[0]}") MB" "$(calc 2 "${wall[0]}/5000") ×"

race 1 "reseller reports summary --all --month 2026-10 --output-dir pages --base-url $url/500"
row 'the pages of 500 campaigns at 20 ms' '1.15 × latency × calls ÷ concurrency' "$(ms "${wall[0]}/1000" 2) s of 8.75 s, $(mb "${peak[0]}") MB" "$(calc 2 "${wall[0]}/8750") ×"

note "bulk load"
awk 'BEGIN { print "keyword"; for (i = 0; i < 400000; i++) print "red running shoes " i }' >load.csv
posts=() loads=() peaks=()
for _ in 1 2 3; do
	posts+=("$(wrk -t1 -c8 -d4s -s post.lua "$url/0/api/v1/keywords" | awk '/Requests\/sec/ { print $2 }')")
	rm -rf state
	race 1 "reseller keywords add --file load.csv --account 1 --campaign 101 --type target --restart -q --base-url $url/0"
	loads+=("${wall[0]}") peaks+=("${peak[0]}")
done
middle() { printf '%s\n' "$@" | sort -g | sed -n 2p; }
wrk=$(middle "${posts[@]}") load=$(middle "${loads[@]}")
rate=$(calc 0 "400000/($load/1000)")
row 'load of 400,000 keywords, journal on' '0.5 × wrk with bodies built in advance, at least 0.4 ×; 32 MB' \
	"$rate rows/s, wrk $(calc 0 "$wrk*100") rows/s, $(mb "$(middle "${peaks[@]}")") MB" "$(calc 2 "$rate/($wrk*100)") ×"

row 'the binary' '20 MB' "$(calc 1 "$(stat -c %s reseller)/1e6") MB" ''

{
	awk '{ print } /^<!-- figures -->$/ { exit }' "$page"
	printf '\nMeasured on %s: %s, %s cores, Linux %s, %s, curl %s, %s, mlr %s. Medians.\n\n' "$(date -u +%Y-%m-%d)" \
		"$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)" "$(nproc)" "$(uname -r)" "$(go version | cut -d' ' -f3)" \
		"$(curl --version | awk 'NR == 1 { print $2 }')" "$(jq --version)" "$(mlr --version | awk '{ print $NF }')"
	printf '| work | goal | measured | ratio |\n|---|---|---|---|\n'
	cat table
	echo
	awk '/^<!-- end -->$/ { on = 1 } on' "$page"
} >page
cp page "$page"
note "written: docs/performance.md"
