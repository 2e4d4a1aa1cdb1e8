package cmd_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A figureCase is a campaign, the period of a report about it, and what a person with a calendar says of the two.
type figureCase struct {
	name           string
	args           string
	from, to       string // the period
	prior, priorTo string // the one with which it is compared
	lastDay        string // the last day whose visits are complete, if it is not to
	lastPriorDay   string // of the days with which the visits are compared, if it is not priorTo
	when, rankWhen string // how sentences name the compared period

	days     map[string][2]int // organic and other visits by day
	twice    []string          // days with an earlier row that is wrong
	keywords []figureKeyword
	tasks    []figureTask
	gained   []string // days
	lost     []string

	referring map[string]int // referring backlinks by day
	backlinks []int          // today's domain rating, backlinks and referring domains, nil for none
}

type figureKeyword struct {
	text           string
	organic, onMap map[string]int // ranks by day, 999 for not ranked
	isOff          bool           // deactivated
	isTwice        bool
}

type figureTask struct{ day, status, built string }

// everyDay gives visits to the days of two dates.
func (c *figureCase) everyDay(from, to string, scale int, without ...string) {
	if c.days == nil {
		c.days = map[string][2]int{}
	}
	for i, day := 0, from; day <= to; i, day = i+1, dayAfter(day, 1) {
		if !slices.Contains(without, day) {
			c.days[day] = [2]int{scale + 7*i%23, scale/2 + 5*i%11}
		}
	}
}

func dayAfter(day string, n int) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return at.AddDate(0, 0, n).Format(time.DateOnly)
}

func daysOf(from, to string) (all []string) {
	for day := from; day <= to; day = dayAfter(day, 1) {
		all = append(all, day)
	}
	return all
}

// ranked is a keyword with an organic rank at the beginning of the compared period and of the period; 0 is no
// measurement.
func (c *figureCase) ranked(text string, before, now int) figureKeyword {
	k := figureKeyword{text: text, organic: map[string]int{}}
	if before > 0 {
		k.organic[dayAfter(c.prior, 1)] = before + 3
		k.organic[dayAfter(c.prior, 6)] = before
	}
	if now > 0 {
		k.organic[c.from] = now
	}
	return k
}

// figureCases are the campaigns.
func figureCases() []*figureCase {
	month := func(name, args, from, to, prior, priorTo, when string) *figureCase {
		return &figureCase{name: name, args: args, from: from, to: to, prior: prior, priorTo: priorTo, when: when, rankWhen: "a month ago"}
	}
	complete := month("complete", "--month 2025-10", "2025-10-01", "2025-10-31", "2025-09-01", "2025-09-30", "in September")
	complete.everyDay("2025-08-20", "2025-09-30", 40)
	complete.everyDay("2025-10-01", "2025-11-04", 47)
	complete.keywords = []figureKeyword{complete.ranked("a", 12, 4), complete.ranked("b", 3, 3), complete.ranked("c", 2, 15), complete.ranked("d", 999, 999)}
	complete.keywords = append(complete.keywords, figureKeyword{text: "e", organic: map[string]int{"2025-10-02": 40, "2025-10-20": 12}})
	complete.keywords[0].onMap = map[string]int{"2025-09-10": 5, "2025-10-12": 2}
	complete.tasks = []figureTask{{"2025-09-30", "", ""}, {"2025-10-01", "completed", ""}, {"2025-10-31", "Done", ""}, {"2025-10-20", "Done", "2025-06-20"}, {"2025-09-20", "Done", "2025-07-20"}, {"2025-11-01", "", ""}}
	complete.referring, complete.backlinks = map[string]int{"2025-09-03": 70, "2025-09-24": 80, "2025-10-01": 10, "2025-10-29": 60, "2025-11-05": 7}, []int{31, 1234, 210}
	complete.gained, complete.lost = []string{"2025-10-01", "2025-10-05"}, []string{"2025-09-05", "2025-10-05"}

	gaps := month("gaps", "--month 2025-06", "2025-06-01", "2025-06-30", "2025-05-01", "2025-05-31", "in May")
	gaps.everyDay("2025-05-01", "2025-05-31", 300, "2025-05-01", "2025-05-14", "2025-05-31")
	gaps.everyDay("2025-06-01", "2025-06-30", 100, "2025-06-10", "2025-06-11", "2025-06-12", "2025-06-13", "2025-06-14", "2025-06-15", "2025-06-16", "2025-06-30")
	gaps.keywords = []figureKeyword{gaps.ranked("a", 5, 0), gaps.ranked("b", 0, 0), gaps.ranked("c", 20, 10)}
	gaps.keywords = append(gaps.keywords, figureKeyword{text: "d", organic: map[string]int{"2025-03-15": 40, "2025-06-20": 2}})
	gaps.referring = map[string]int{"2025-06-10": 40, "2025-06-03": 45, "2025-07-01": 90}
	gaps.tasks = []figureTask{{"2025-05-30", "", ""}}

	added := month("new keywords", "--month 2025-02", "2025-02-01", "2025-02-28", "2025-01-01", "2025-01-31", "in January")
	added.everyDay("2025-01-01", "2025-02-28", 20)
	added.keywords = []figureKeyword{added.ranked("a", 30, 31), added.ranked("b", 0, 1), added.ranked("c", 0, 2), added.ranked("d", 999, 9), added.ranked("e", 0, 999)}

	dropped := month("dropped out", "--month 2024-02", "2024-02-01", "2024-02-29", "2024-01-01", "2024-01-31", "in January")
	dropped.everyDay("2024-01-01", "2024-02-29", 20)
	dropped.keywords = []figureKeyword{dropped.ranked("a", 5, 6), dropped.ranked("b", 90, 999), dropped.ranked("c", 80, 999), dropped.ranked("d", 2, 999)}
	dropped.keywords[0].onMap = map[string]int{"2024-01-10": 3, "2024-02-10": 999}
	dropped.lost = []string{"2024-02-29", "2024-03-01", "2024-01-31", "2024-01-01"}

	off := month("deactivated", "--month 2025-03", "2025-03-01", "2025-03-31", "2025-02-01", "2025-02-28", "in February")
	off.everyDay("2025-02-01", "2025-03-31", 60)
	off.keywords = []figureKeyword{off.ranked("a", 5, 2), off.ranked("b", 1, 50), off.ranked("c", 1, 1)}
	off.keywords[1].isOff, off.keywords[2].isOff = true, true

	twice := month("twice", "--month 2025-04", "2025-04-01", "2025-04-30", "2025-03-01", "2025-03-31", "in March")
	twice.everyDay("2025-03-01", "2025-04-30", 35)
	twice.twice = []string{"2025-03-15", "2025-04-02", "2025-04-03"}
	twice.keywords = []figureKeyword{twice.ranked("a", 5, 2), twice.ranked("b", 9, 8)}
	twice.keywords[0].isTwice = true

	cancelled := month("cancelled", "--month 2025-07", "2025-07-01", "2025-07-31", "2025-06-01", "2025-06-30", "in June")
	cancelled.tasks = []figureTask{{"2025-06-05", "Cancelled", ""}, {"2025-07-05", "completed", ""}, {"2025-07-06", "CANCELED", ""}, {"2025-07-07", "in progress", ""}, {"2025-07-08", "Under review", ""}, {"2025-07-08", "Partially completed", ""}, {"2025-07-07", "completed", ""}}
	cancelled.gained = []string{"2025-06-30"}

	today := time.Now().Format(time.DateOnly)
	running := &figureCase{name: "running", to: today, rankWhen: "a month ago"}
	running.from = today[:8] + "01"
	first, _ := time.Parse(time.DateOnly, running.from)
	before := first.AddDate(0, -1, 0)
	running.prior = before.Format(time.DateOnly)
	running.args = "--month " + today[:7]
	n := first.AddDate(0, 0, -1).Day() // days of the month before
	days := len(daysOf(running.from, today))
	running.priorTo = dayAfter(running.prior, min(days, n)-1)
	running.lastDay, running.lastPriorDay = dayAfter(today, -1), dayAfter(running.prior, min(days-1, n)-1)
	if running.when = fmt.Sprintf("in the first %d days of %s", days-1, before.Format("January")); days-1 >= n {
		running.when = "in " + before.Format("January")
	}
	if before.Year() != first.Year() {
		running.when = strings.Replace(running.when, before.Format("January"), before.Format("January 2006"), 1)
	}
	if days < 4 { // too few days of a month to compare
		running.from, running.prior, running.priorTo = dayAfter(today, -19), dayAfter(today, -39), dayAfter(today, -20)
		running.args, running.when, running.rankWhen = "--from "+running.from, "in the first 19 of the 20 days before", "20 days ago"
		running.lastPriorDay = dayAfter(running.from, -2)
		running.prior = dayAfter(running.from, -20)
	}
	running.everyDay(running.prior, dayAfter(running.from, -1), 50)
	running.everyDay(running.from, today, 30)
	running.days[today] = [2]int{1, 0}
	running.keywords = []figureKeyword{running.ranked("a", 7, 4), running.ranked("b", 4, 12)}
	if last := dayAfter(running.from, -1); last > running.priorTo {
		running.keywords = append(running.keywords, figureKeyword{text: "c", organic: map[string]int{last: 1, running.from: 5}})
	}
	running.tasks = []figureTask{{running.from, "completed", ""}, {running.prior, "completed", ""}, {running.prior, "completed", ""}}

	days14 := &figureCase{name: "last 14 days", args: "--from -14d", from: dayAfter(today, -13), to: today, prior: dayAfter(today, -27), priorTo: dayAfter(today, -14), rankWhen: "14 days ago",
		lastDay: dayAfter(today, -1), lastPriorDay: dayAfter(today, -15), when: "in the first 13 of the 14 days before"}
	days14.everyDay(days14.prior, today, 50)

	leap1 := month("one leap day", "--from 2024-02-29 --to 2024-02-29 --compare year", "2024-02-29", "2024-02-29", "2023-02-28", "2023-02-28", "on 28 February 2023")
	leap1.everyDay("2023-02-20", "2023-03-10", 25)
	leap1.everyDay("2024-02-20", "2024-03-10", 31)

	leap := month("leap day", "--from 2024-01-15 --to 2024-03-10 --compare year", "2024-01-15", "2024-03-10", "2023-01-15", "2023-03-10", "in the same days a year before")
	leap.rankWhen = "a year ago"
	leap.everyDay("2023-01-15", "2023-03-10", 25)
	leap.everyDay("2024-01-15", "2024-03-10", 31)
	leap.keywords = []figureKeyword{leap.ranked("a", 17, 14)}
	leap.lost = []string{"2024-02-29", "2023-02-28", "2023-03-11"}

	week := month("week", "--from 2025-10-20 --to 2025-10-26", "2025-10-20", "2025-10-26", "2025-10-13", "2025-10-19", "in the 7 days before")
	week.rankWhen = "on 11 October 2025"
	week.keywords = []figureKeyword{{text: "a", organic: map[string]int{"2025-10-11": 9, "2025-10-22": 5}}, {text: "b", organic: map[string]int{"2025-10-11": 30, "2025-10-22": 31}}}

	year := month("a year", "--month 2025-05", "2025-05-01", "2025-05-31", "2025-04-01", "2025-04-30", "in April")
	year.everyDay("2024-05-20", "2025-05-31", 20, "2024-11-05", "2025-05-02")
	for _, day := range daysOf("2024-09-01", "2024-10-31") {
		delete(year.days, day)
	}
	year.keywords = []figureKeyword{year.ranked("a", 5, 6), year.ranked("b", 0, 3), year.ranked("c", 60, 30), year.ranked("d", 999, 15)}
	for i, day := range []string{"2024-05-28", "2024-06-30", "2024-08-01", "2025-01-31", "2025-02-28"} {
		year.keywords[0].organic[day], year.keywords[2].organic[day] = 9+i, 12-i
		if i < 3 {
			year.keywords[1].organic[day] = 3
		}
	}
	year.gained = []string{"2024-07-01", "2024-07-31", "2024-12-24", "2025-05-31", "2025-06-01"}

	none := month("none", "--month 2025-08", "2025-08-01", "2025-08-31", "2025-07-01", "2025-07-31", "in July")
	return []*figureCase{complete, gaps, added, dropped, off, twice, cancelled, running, days14, leap1, leap, week, year, none}
}

// ServeHTTP answers the reports of the campaign 101 of the account 1.
func (c *figureCase) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var rows []any
	has := func(part string) bool { return strings.Contains(r.URL.Path, part) }
	switch {
	case r.URL.Path == "/api/v1/campaigns":
		rows = append(rows, map[string]any{"account_id": 1, "campaign_id": 101})
	case r.URL.Path == "/api/v1/keywords":
		for i, k := range c.keywords {
			status := 1
			if k.isOff {
				status = 0
			}
			rows = append(rows, map[string]any{"rank_id": i + 1, "campaign_id": 101, "keyword": k.text, "status": status})
		}
	case has("/reports/keywords/"):
		for i, k := range c.keywords {
			var points []any
			for _, day := range slices.Sorted(maps.Keys(k.organic)) {
				points = append(points, map[string]any{"date": day + "T04:04:00", "rank_google_organic": k.organic[day]})
			}
			for _, day := range slices.Sorted(maps.Keys(k.onMap)) {
				points = append(points, map[string]any{"date": day, "rank_google_map": k.onMap[day]})
			}
			row := map[string]any{"keyword": k.text, "type": "target", "rank_id": i + 1, "rank_google_organic": 77, "histogram": points}
			rows = append(rows, row)
			if k.isTwice {
				rows = append(rows, row)
			}
		}
	case has("/api/v2/accounts/"):
		rows = append(rows, map[string]any{"account_id": 1})
	case has("/traffic/"):
		for _, day := range c.twice {
			rows = append(rows, map[string]any{"date": day, "organic": 900, "non_organic": 90, "total": 990})
		}
		for day, v := range c.days {
			rows = append(rows, map[string]any{"date": day, "organic": v[0], "non_organic": v[1], "total": v[0] + v[1]})
		}
	case has("/workflows/"):
		for i, task := range c.tasks {
			rows = append(rows, map[string]any{"task_id": i, "task_name": "Audit", "status": task.status, "completion_date": task.day + "T10:00:00", "built_date": task.built})
		}
	case has("/referring/"):
		for day, n := range c.referring {
			rows = append(rows, map[string]any{"date_checked": day + " 00:00:00", "quantity": strconv.Itoa(n)})
		}
	case has("/reports/backlinks/accounts/") && c.backlinks != nil:
		rows = append(rows, map[string]any{"domain_rating": c.backlinks[0], "backlink_quantity": c.backlinks[1], "referring_domain_quantity": c.backlinks[2]})
	case has("/lost/"):
		for _, day := range c.lost {
			rows = append(rows, map[string]any{"url_from": "https://a.example", "date_last_seen": day})
		}
	case has("/provisioned/"):
		for _, day := range c.gained {
			rows = append(rows, map[string]any{"url": "https://a.example", "completed_date": day})
		}
	}
	data, _ := json.Marshal(map[string]any{"data": slices.Concat([]any{}, rows), "error": false})
	_, _ = w.Write(data)
}

// A plainFigure is a figure as somebody computes it by hand: its text, empty if there is none, the numbers of what
// stands beside it, and whether it rose (1) or fell (-1).
type plainFigure struct {
	text    string
	numbers []string
	sign    int
}

// people returns a number as people read it.
func people(n float64) string {
	text := strconv.FormatFloat(math.Abs(math.Round(n*10)/10), 'f', -1, 64)
	if i := len(strings.Split(text, ".")[0]); i > 3 {
		text = text[:i-3] + "," + text[i-3:]
	}
	return text
}

// change adds the size of a change to the numbers, unless both are equal or there was nothing before.
func (f *plainFigure) change(now, before float64) {
	f.sign = cmp.Compare(now, before)
	if now != before && before != 0 {
		f.numbers = append(f.numbers, people(now-before))
	}
}

// count adds numbers that are not 0.
func (f *plainFigure) count(numbers ...int) {
	for _, n := range numbers {
		if n > 0 {
			f.numbers = append(f.numbers, strconv.Itoa(n))
		}
	}
}

// visitsBy computes the visits; of returns those of a day.
func (c *figureCase) visitsBy(of func([2]int) int) (f plainFigure) {
	sum := func(from, to string) (total, days, lacking float64) {
		for _, day := range daysOf(from, to) {
			if v, ok := c.days[day]; ok {
				total, days = total+float64(of(v)), days+1
			} else {
				lacking++
			}
		}
		return total, days, lacking
	}
	to, prior, priorTo := c.to, c.prior, c.priorTo
	if c.lastDay != "" {
		to, priorTo = c.lastDay, c.lastPriorDay
	}
	total, days, lacking := sum(c.from, to)
	before, daysBefore, lacked := sum(prior, priorTo)
	if days == 0 {
		return f
	}
	f.text = people(total)
	rate := total / days
	if c.from == c.to {
		// one day is not a number a day
	} else if rate >= 10 {
		f.numbers = append(f.numbers, people(math.Round(rate)))
	} else {
		f.numbers = append(f.numbers, people(rate))
	}
	if share := 100 * (rate/(before/daysBefore) - 1); daysBefore > 0 && math.Abs(share) >= 0.5 {
		f.sign = cmp.Compare(share, 0)
		f.numbers = append(f.numbers, people(max(math.Round(math.Abs(share)), 1)))
	}
	f.count(int(lacking))
	if daysBefore > 0 {
		f.count(int(lacked))
	}
	return f
}

// A plainRank is a keyword at the end of both periods: 0 is not measured.
type plainRank struct {
	now, before  int
	day, earlier string
}

// isNew reports whether the service has nothing of a keyword before the period.
func (c *figureCase) isNew(k figureKeyword) bool {
	days := slices.Sorted(maps.Keys(k.organic))
	days = slices.AppendSeq(days, maps.Keys(k.onMap))
	return len(days) > 0 && slices.Min(days) >= c.from
}

func (c *figureCase) rankOf(ranks map[string]int) (r plainRank) {
	for _, day := range slices.Sorted(maps.Keys(ranks)) {
		switch { // in few days, none need be measured: the last of 10 days counts
		case day >= min(c.prior, dayAfter(c.priorTo, -9)) && day <= c.priorTo:
			r.before, r.earlier = ranks[day], day
		case day >= c.from && day <= c.to:
			r.now, r.day = ranks[day], day
		}
	}
	return r
}

// tracked returns the keywords that count.
func (c *figureCase) tracked() (all []figureKeyword) {
	for _, k := range c.keywords {
		if !k.isOff {
			all = append(all, k)
		}
	}
	return all
}

// among computes how many keywords are in the first ranks of a list. The change is that of the keywords that were measured
// both now and before.
func (c *figureCase) among(first int, list func(figureKeyword) map[string]int) (f plainFigure) {
	now, then, before, isNew, unmeasuredBefore, unmeasured, both := 0, 0, 0, 0, 0, 0, 0
	for _, k := range c.tracked() {
		r := c.rankOf(list(k))
		isIn, wasIn := r.now > 0 && r.now <= first, r.before > 0 && r.before <= first
		if isIn {
			now++
		}
		switch {
		case r.now == 0:
			unmeasured++
		case r.before == 0 && c.isNew(k):
			isNew++
		case r.before == 0:
			unmeasuredBefore++
		default:
			both++
			if isIn {
				then++
			}
			if wasIn {
				before++
			}
		}
	}
	if unmeasured == len(c.tracked()) {
		return f
	}
	f.text = strconv.Itoa(now)
	if both > 0 {
		f.sign = cmp.Compare(then, before)
	}
	switch {
	case both == len(c.tracked()):
		f.change(float64(then), float64(before))
	case both > 1:
		f.count(max(then-before, before-then), both)
	case both == 1:
		f.count(max(then-before, before-then)) // "the one keyword"
	}
	if both > 0 {
		f.count(isNew, unmeasuredBefore)
	}
	f.count(unmeasured)
	return f
}

// average computes the average rank of the keywords that rank in both periods.
func (c *figureCase) average() (f plainFigure) {
	var now, before, both, alone float64
	var dropped, came, isNew, unmeasured, ranked int
	for _, k := range c.tracked() {
		r := c.rankOf(k.organic)
		isRanked, wasRanked := r.now > 0 && r.now < 999, r.before > 0 && r.before < 999
		if r.now == 0 {
			unmeasured++
		}
		if isRanked && wasRanked {
			now, before, both = now+float64(r.now), before+float64(r.before), both+1
		}
		if isRanked {
			ranked++
			alone += float64(r.now)
		}
		if r.now == 999 && wasRanked {
			dropped++
		}
		if isRanked && r.before == 999 {
			came++
		}
		if isRanked && r.before == 0 {
			isNew++
		}
	}
	if ranked == 0 {
		return f
	}
	if both > 0 {
		f.text = people(now / both)
		if change := people((now - before) / both); change != "0" {
			f.numbers, f.sign = append(f.numbers, change), cmp.Compare(before, now)
		}
	} else {
		f.text = people(alone / float64(ranked))
	}
	f.count(dropped, came, isNew, unmeasured)
	return f
}

// sections computes the figures that are no tiles, by their titles.
func (c *figureCase) sections() map[string]plainFigure {
	all := map[string]plainFigure{"Other visits": c.visitsBy(func(v [2]int) int { return v[1] }), "Referring backlinks": {}, "Referring domains": {}, "Backlinks": {}}
	now, before := 0, 0
	for _, day := range slices.Sorted(maps.Keys(c.referring)) {
		if day >= c.from && day <= c.to {
			now = c.referring[day]
		} else if day >= c.prior && day <= c.priorTo {
			before = c.referring[day]
		}
	}
	f := plainFigure{text: strconv.Itoa(now)}
	if before > 0 {
		f.sign = cmp.Compare(now, before)
		f.count(int(math.Round(math.Abs(100 * float64(now-before) / float64(before)))))
	}
	if now > 0 {
		all["Referring backlinks"] = f
	}
	if c.backlinks != nil {
		all["Backlinks"], all["Referring domains"] = c.ofToday(1), c.ofToday(2)
	}
	return all
}

// ofToday returns a figure of which the service has only today's number.
func (c *figureCase) ofToday(i int) plainFigure {
	now := time.Now()
	return plainFigure{text: people(float64(c.backlinks[i])), numbers: []string{strconv.Itoa(now.Day()), strconv.Itoa(now.Year())}}
}

// months returns the first and the last day of the twelve months that end with the period.
func (c *figureCase) months() (all [][2]string) {
	end, _ := time.Parse(time.DateOnly, c.to[:8]+"01")
	for i := -11; i <= 0; i++ {
		first := end.AddDate(0, i, 0)
		all = append(all, [2]string{first.Format(time.DateOnly), min(first.AddDate(0, 1, -1).Format(time.DateOnly), c.to)})
	}
	return all
}

// ofMonths computes the texts of the charts of twelve months by their titles, empty for one that is not drawn.
func (c *figureCase) ofMonths() map[string]string {
	texts := map[string]string{}
	add := func(title string, of func(from, to string) (n int, isKnown, isPartial bool)) {
		var bars []string
		highest := 0
		for _, month := range c.months() {
			n, isKnown, isPartial := of(month[0], month[1])
			at, _ := time.Parse(time.DateOnly, month[0])
			label := at.Format("Jan 2006")
			if isPartial {
				label += "*"
			}
			if isKnown {
				bars, highest = append(bars, label+": "+people(float64(n))), max(highest, n)
			}
		}
		if texts[title] = ""; len(bars) > 2 && highest > 0 {
			texts[title] = title + ": " + strings.Join(bars, ", ") + "."
		}
	}
	isOver := func(to string) bool { return dayAfter(to, 1)[8:] == "01" }
	add("Visits", func(from, to string) (n int, isKnown, isPartial bool) {
		isPartial = !isOver(to)
		for _, day := range daysOf(from, to) {
			v, ok := c.days[day]
			if ok = ok && day < time.Now().Format(time.DateOnly); ok {
				n, isKnown = n+v[0]+v[1], true
			}
			isPartial = isPartial || !ok
		}
		return n, isKnown, isPartial
	})
	add("Keywords in the first 10", func(from, to string) (n int, isKnown, isPartial bool) {
		for _, k := range c.tracked() {
			last, was := 0, false
			for _, day := range slices.Sorted(maps.Keys(k.organic)) {
				if day >= min(from, dayAfter(to, -9)) && day <= to { // as in a period of few days
					last = k.organic[day]
				}
				was = was || day < from
			}
			isKnown = isKnown || last > 0
			isPartial = isPartial || last == 0 && was
			if last > 0 && last <= 10 {
				n++
			}
		}
		return n, isKnown, isPartial || !isOver(to)
	})
	add("Links gained", func(from, to string) (n int, isKnown, isPartial bool) {
		for _, day := range c.gained {
			isKnown = isKnown || day <= to
			if day >= from && day <= to {
				n++
			}
		}
		return n, isKnown, !isOver(to)
	})
	return texts
}

// ranges counts the keywords by their organic rank in both periods: 1 to 3, 4 to 10, 11 to 20, 21 to 50, behind, and not measured.
func (c *figureCase) ranges() (now, before [6]int) {
	rangeOf := func(rank int) int {
		for i, last := range []int{0, 3, 10, 20, 50} {
			if rank <= last {
				return (i + 5) % 6
			}
		}
		return 4
	}
	for _, k := range c.tracked() {
		r := c.rankOf(k.organic)
		now[rangeOf(r.now)]++
		before[rangeOf(r.before)]++
	}
	return now, before
}

// happened counts days in both periods. Of nothing at all, nothing is known.
func (c *figureCase) happened(days []string) (f plainFigure, now, before int) {
	for _, day := range days {
		if day >= c.from && day <= c.to {
			now++
		}
		if day >= c.prior && day <= c.priorTo {
			before++
		}
	}
	f.text = strconv.Itoa(now)
	f.change(float64(now), float64(before))
	return f, now, before
}

func (c *figureCase) done() (days []string) {
	for _, task := range c.tasks {
		if slices.Contains([]string{"", "completed", "Done"}, task.status) && task.built != "2025-06-20" {
			days = append(days, task.day)
		}
	}
	return days
}

func organicOf(k figureKeyword) map[string]int { return k.organic }
func mapOf(k figureKeyword) map[string]int     { return k.onMap }

// tiles computes all tiles.
func (c *figureCase) tiles() map[string]plainFigure {
	all := map[string]plainFigure{
		"visits":           c.visitsBy(func(v [2]int) int { return v[0] + v[1] }),
		"organic_visits":   c.visitsBy(func(v [2]int) int { return v[0] }),
		"organic_first_3":  c.among(3, organicOf),
		"organic_first_10": c.among(10, organicOf),
		"map_first_3":      c.among(3, mapOf),
		"map_first_10":     c.among(10, mapOf),
		"average_rank":     c.average(),
		"domain_rating":    {},
	}
	if c.backlinks != nil {
		all["domain_rating"] = c.ofToday(0)
	}
	for key, rows := range map[string][2][]string{"tasks_completed": {c.done(), make([]string, len(c.tasks))}, "links_gained": {c.gained, c.gained}, "links_lost": {c.lost, c.lost}} {
		if all[key] = (plainFigure{}); len(rows[1]) > 0 {
			all[key], _, _ = c.happened(rows[0])
		}
	}
	return all
}
