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
		if v, ok := b.visitsOn(day); ok {
			traffic.Rows = append(traffic.Rows, []string{day.String(), optional(v[AllVisits]), optional(v[OrganicVisits]), optional(v[OtherVisits])})
		}
	}
	add(traffic)

	tasks := Table{Title: "Tasks completed", Header: []string{"Task", "Ordered", "Due", "Completed", "Status"}}
	for _, t := range within(b.events[ReportWorkflows], b.scope.Period) {
		tasks.Rows = append(tasks.Rows, []string{t.name, t.built, t.due, t.day.String(), t.detail})
	}
	add(tasks)

	gained := Table{Title: "Links gained", Header: []string{"Page", "Type", "Completed", "Domain rating"}}
	for _, l := range within(b.events[ReportProvisioned], b.scope.Period) {
		gained.Rows = append(gained.Rows, []string{l.name, l.detail, l.day.String(), l.rating})
	}
	add(gained)

	lost := Table{Title: "Links lost", Header: []string{"Page with the link", "Page linked to", "Last seen", "Text of the link"}}
	for _, l := range within(b.events[ReportLost], b.scope.Period) {
		lost.Rows = append(lost.Rows, []string{l.name, l.to, l.day.String(), l.detail})
	}
	add(lost)

	referring := Table{Title: "Referring backlinks", Header: []string{"Day", "Referring backlinks"}}
	for _, day := range b.checked(b.scope.Period) {
		referring.Rows = append(referring.Rows, []string{day.String(), Number(b.referring[day])})
	}
	add(referring)
	return tables
}
