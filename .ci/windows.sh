# What .ci/windows runs under wine. The first line that fails ends it, with what the last program said.
cd /root
trap '[ $? = 0 ] || cat out' EXIT
reseller() { wine64 /root/reseller.exe "$@"; }
has() { # FILE TEXT
	grep -qF -- "$2" "$1" || {
		echo "$1 lacks: $2"
		cat "$1"
		exit 1
	}
}
reseller version -o json >version
has version '"os": "windows"'
# Two tests are about modes of files, which Windows does not have.
for test in atomicfile lockedfile secret; do
	echo "tests: $test"
	wine64 /root/$test.test.exe -test.short -test.skip 'TestFileRoundTrip|TestFileReadableByOthers' >out 2>&1
done
# The stories of some groups; those that need a shell, a signal or a terminal are skipped.
echo "stories"
(cd stories && RESELLER_TEST_PROGRAM=../program wine64 /root/cmd.test.exe -test.parallel 4 -test.v -test.run 'TestStories/(accounts|auth|campaigns|config|keywords)') >out 2>&1 || {
	grep -e FAIL -B 20 out >failed
	mv failed out
	exit 1
}
echo "$(grep -c '^        --- PASS' out) passed, $(grep -c '^        --- SKIP' out) skipped"
export RESELLER_SERVER=mock
echo "rejects replace the input"
printf 'account_id,campaign_id,keyword,keyword_type\n1,101,good one,target\n99,999,bad,target\n' >rows.csv
reseller keywords add --file rows.csv --rejects rows.csv >out 2>&1 || [ $? = 3 ]
has rows.csv '99,999,bad,target,'
echo "failures replace the input"
printf 'account_id,campaign_id\n1,101\n9,999\n' >ids.csv
reseller reports traffic --file ids.csv --failures ids.csv -o csv >out 2>&1 || [ $? = 3 ]
has ids.csv '9,999,'
echo "a file in UTF-16, as PowerShell writes it"
printf '\377\376k\0e\0y\0w\0o\0r\0d\0\r\0\n\0w\0i\0d\0e\0\r\0\n\0' >wide.csv
reseller keywords add --file wide.csv --account 1 --campaign 101 --type target >out 2>&1
reseller keywords list --campaign 101 -o csv >out
has out ',wide,'
echo "settings that are changed at once"
for setting in timeout=5s retries=2 rate=9 output=csv; do
	reseller config set "${setting%=*}" "${setting#*=}" >"out.$setting" 2>&1 &
done
wait
reseller config list -o csv >out
for want in timeout,5s retries,2 rate,9 output,csv; do grep -qF -- "$want" out || { cat out.*; exit 1; }; done
echo "a long token in the Credential Manager"
printf 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.%s\n' "$(head -c 5000 /dev/zero | tr '\0' a)" >token
reseller auth login --with-token --no-verify --base-url https://api.example.com <token >out 2>&1
reseller auth token --base-url https://api.example.com >again
cmp token again
reseller auth logout --base-url https://api.example.com
echo "a reset of the mock, also of a damaged database"
data=/root/wine/drive_c/users/root/AppData/Local/reseller
[ -d "$data/jobs" ]
reseller accounts get 'Harbor Dental' -o csv >out
ls "$data"/names-*.json >out # the cache of the completion
reseller mock reset --yes
head -c 100000 /dev/zero | tr '\0' x | dd of="$data/mock.db" bs=4096 seek=2 conv=notrunc 2>/dev/null
reseller mock reset --yes
reseller accounts list -o csv >out
has out account_id
