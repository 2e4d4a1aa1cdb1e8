package fault

import "reseller/client/mock/random"

var serverErrors = []Fault{
	{Execute: ExecuteNone, Status: 500},
	{Status: 500},
	{Execute: ExecuteNone, Status: 502, HTML: true},
	{Status: 502, HTML: true},
	{Execute: ExecuteNone, Status: 503},
	{Status: 503},
	{Execute: ExecuteNone, Status: 503, HTML: true},
	{Status: 503, HTML: true},
	{Execute: ExecuteNone, Status: 503, RetryAfter: "1"},
}

// NewSchedule returns a schedule that lets a share of the requests, 0 to 1, fail, each by one of the faults. Without faults, they
// fail with the status 500, 502 or 503, before or after they are carried out. The seed decides which requests fail and how: the same
// seed decides the same for the same n.
func NewSchedule(seed int64, share float64, faults ...Fault) Schedule {
	if len(faults) == 0 {
		faults = serverErrors
	}
	return func(n int, _, _ string) Fault {
		numbers := random.New("fault", seed, int64(n))
		if float64(numbers.Between(0, 1<<30-1)) >= share*(1<<30) {
			return Fault{}
		}
		return faults[numbers.Between(0, len(faults)-1)]
	}
}
