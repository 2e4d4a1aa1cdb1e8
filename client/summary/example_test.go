package summary_test

import (
	"fmt"
	"log"
	"time"

	"reseller/client/record"
	"reseller/client/summary"
)

func ExampleBuilder() {
	today := summary.NewDay(2026, time.November, 22)
	b := summary.NewBuilder(summary.NewScope(summary.Month(2026, time.October), summary.Previous, today))
	for day := summary.NewDay(2026, time.September, 1); day <= today; day++ {
		row, err := record.Parse(fmt.Appendf(nil, `{"date":%q,"organic":%d,"non_organic":20}`, day.ISO(), 30+int(day)%7))
		if err != nil {
			log.Fatal(err)
		}
		b.Add(summary.ReportTraffic, row)
	}
	page := b.Page(summary.Subject{AccountName: "Harbour Dental"})
	fmt.Println(page.Title, "·", page.Period, page.Comparison)
	fmt.Println(page.Sentences[0])
	for _, tile := range page.Tiles[:3] {
		fmt.Printf("%s: %s%s\n", tile.Title, tile.Text, tile.Missing)
	}
	// Output:
	// Harbour Dental · October 2026 compared with September 2026
	// 1,637 visits, 53 a day, 1 % fewer than in September.
	// Visits: 1,637
	// Organic visits: 1,017
	// Keywords in the first 3: the service has no ranks for October 2026
}
