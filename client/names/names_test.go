package names

import (
	"slices"
	"testing"

	"reseller/client/schema"
)

var list = List{
	{ID: 2, Name: "Harbour Bikes", Identifier: "crm-3001"},
	{ID: 2, Name: "Harbour Bikes", Identifier: "crm-3001"},
	{ID: 23, Name: "Café  Lumière", Account: 1, Deactivated: true},
	{ID: 4, Name: "crm-3001", Account: 3},
	{ID: 5},
}

func TestCalled(t *testing.T) {
	for text, want := range map[string][]int64{
		"Harbour Bikes": {2}, " harbour\tBIKES": {2}, "CAFE\u0301 LUMIE\u0300RE": {23}, "crm-3001": {2, 4}, "Harbour": nil, "": nil, " ": nil, "2": nil,
	} {
		t.Run(text, func(t *testing.T) {
			if got := list.Meant(Reference{Text: text}).IDs(); !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

func TestDistinct(t *testing.T) {
	if got, want := list.Distinct().IDs(), []int64{2, 23, 4, 5}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestOf(t *testing.T) {
	if got, want := list.Of(1, 7).IDs(), []int64{23}; !slices.Equal(got, want) {
		t.Errorf("got campaigns %v, want %v", got, want)
	}
	if got := list.Of(); got != nil {
		t.Errorf("got campaigns %v of no account, want none", got)
	}
}

func TestOwner(t *testing.T) {
	campaigns := List{{ID: 101, Account: 1}, {ID: 101, Account: 1}, {ID: 102, Account: 1}, {ID: 102, Account: 2}, {ID: 103}, {ID: 104, Account: 4}, {ID: 104}}
	for _, c := range []struct {
		name           string
		campaign, want int64
	}{{"listed twice", 101, 1}, {"two accounts", 102, 0}, {"no account", 103, 0}, {"once without the account", 104, 0}, {"not listed", 105, 0}} {
		t.Run(c.name, func(t *testing.T) {
			if got := campaigns.Owner(c.campaign); got != c.want {
				t.Errorf("got account %d, want %d", got, c.want)
			}
		})
	}
}

func TestString(t *testing.T) {
	for i, want := range []string{"2 (Harbour Bikes, crm-3001)", "2 (Harbour Bikes, crm-3001)", "23 (Café  Lumière, account 1, deactivated)", "4 (crm-3001, account 3)", "5"} {
		t.Run(want, func(t *testing.T) {
			if got := list[i].String(); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestStringNamesOnce names an account whose identifier is its name.
func TestStringNamesOnce(t *testing.T) {
	const want = "5 (Summit Roofing, deactivated)"
	if got := (Entry{ID: 5, Name: "Summit Roofing", Identifier: "Summit Roofing", Deactivated: true}).String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]Reference{
		"12": {schema.PrefixID, "12", 12, true}, " 12 ": {schema.PrefixID, "12", 12, true}, "-2": {schema.PrefixID, "-2", -2, true}, "0": {schema.PrefixID, "0", 0, true},
		"id:12": {schema.PrefixID, "12", 12, false}, "id: 12": {schema.PrefixID, "12", 12, false}, "0012": {Text: "0012"}, "name:12": {schema.PrefixName, "12", 0, false},
		"name: Harbour Bikes ": {schema.PrefixName, "Harbour Bikes", 0, false}, "ext:900001": {schema.PrefixIdentifier, "900001", 0, false},
		"name:id:3": {schema.PrefixName, "id:3", 0, false}, "Harbour Bikes": {Text: "Harbour Bikes"}, "crm-3001": {Text: "crm-3001"}, "Name:x": {Text: "Name:x"},
	} {
		t.Run(text, func(t *testing.T) {
			if got, err := Parse(text); got != want || err != nil {
				t.Errorf("got %+v, error %v, want %+v", got, err, want)
			}
		})
	}
	for text, want := range map[string]string{
		"": "is neither an id nor a name", " ": "is neither an id nor a name", "2.5": "is not a whole number", "id:x": "is not a whole number",
		"id:0012": "is not a whole number", "name: ": "has nothing behind name:", "ext:": "has nothing behind ext:",
		"9223372036854775808": "is not a whole number",
	} {
		t.Run(text, func(t *testing.T) {
			if got, err := Parse(text); err == nil || err.Error() != want {
				t.Errorf("got %+v, error %v, want %s", got, err, want)
			}
		})
	}
}

func TestMeant(t *testing.T) {
	for text, want := range map[string][]int64{
		"2": {2}, "id:23": {23}, "crm-3001": {2, 4}, "ext:crm-3001": {2}, "name:CRM-3001": {4}, "name:harbour bikes": {2}, "ext:harbour bikes": nil, "id:6": nil,
	} {
		t.Run(text, func(t *testing.T) {
			ref, _ := Parse(text)
			if got := list.Meant(ref).IDs(); !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}
