package summary

// appendix returns the rows of the reports for the period as tables, without those that have no
// rows.
func (b *Builder) appendix(ranks *rankTable) []Table {
	var tables []Table
	add := func(t Table) {
		if len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	keywords := Table{Title: "Keywords", Header: []string{"Keyword", "Type", "Organic rank", "Rank on the map", "Searches a month"}}
	for _, k := range ranks.keywords {
		keywords.Rows = append(keywords.Rows, []string{k.text, k.kind, k.moves[listOrganic].now.String(), k.moves[listMap].now.String(), optional(k.searches)})
	}
	add(keywords)

	traffic := Table{Title: "Visits by day", Header: []string{"Day", "Visits", "Organic visits", "Other visits"}}
	for day := b.scope.From; day <= b.scope.To; day++ {
		if v := b.visitsOn(day); !v.Unknown() {
			traffic.Rows = append(traffic.Rows, []string{day.String(), optional(v[AllVisits]), optional(v[OrganicVisits]), optional(v[OtherVisits])})
		}
	}
	add(traffic)

	events := func(r Report, title string, header []string, cells func(*event) []string) {
		t := Table{Title: title, Header: header}
		for _, e := range within(b.events[r].Kept, b.scope.Period, false) {
			t.Rows = append(t.Rows, cells(e))
		}
		add(t)
	}
	events(ReportWorkflows, "Tasks completed", []string{"Task", "Ordered", "Due", "Completed", "Status"},
		func(e *event) []string { return []string{e.name, e.built, e.due, e.day.String(), e.detail} })
	events(ReportProvisioned, "Links gained", []string{"Page", "Type", "Completed", "Domain rating"},
		func(e *event) []string { return []string{e.name, e.detail, e.day.String(), e.rating} })
	events(ReportLost, "Links lost", []string{"Page with the link", "Page linked to", "Last seen", "Text of the link"},
		func(e *event) []string { return []string{e.name, e.to, e.day.String(), e.detail} })

	referring := Table{Title: "Referring backlinks", Header: []string{"Day", "Referring backlinks"}}
	for _, day := range b.checked(b.scope.Period) {
		referring.Rows = append(referring.Rows, []string{day.String(), Number(b.referring[day])})
	}
	add(referring)
	return tables
}
