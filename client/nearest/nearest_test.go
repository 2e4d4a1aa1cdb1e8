package nearest

import (
	"slices"
	"strings"
	"testing"
)

var fields = []string{
	"account_id", "account_name", "first_name", "last_name", "email", "phone", "address_1", "address_2", "city", "state",
	"postal", "country_code", "website_url", "external_campaign_manager.name",
}

func TestName(t *testing.T) {
	for name, want := range map[string]string{
		"acount_id": "account_id", "Account-Name": "account_name", "phnoe": "phone", "stat": "state", "ctiy": "city",
		"Account Name": "account_name", "e-mail": "email", "postl": "postal", "websit_url": "website_url",
		"external_campaing_manager.name": "external_campaign_manager.name", "website": "website_url", "citi": "city",
		"credentials.user": "credentials.username", "cty": "city", "adress": "address_1",
		"st": "", "mrr": "", "Remark": "", "zip": "", "": "", "cixxy": "", "colour": "", "Straße": "", "Strasse": "", "Stadt": "",
	} {
		t.Run(name, func(t *testing.T) {
			if got := Name(name, append([]string{"credentials.note", "credentials.username"}, fields...)); got != want {
				t.Errorf("Name(%q) = %q, want %q", name, got, want)
			}
		})
	}
	if got := Name("x", nil); got != "" {
		t.Errorf("Name of no names: got %q, want none", got)
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		want       int
	}{
		{"equal", "state", "state", 0},
		{"insert", "stat", "state", 1},
		{"delete", "statee", "state", 1},
		{"replace", "stote", "state", 1},
		{"swap", "satte", "state", 1},
		{"empty", "", "city", 4},
		{"beyond ASCII", "café", "cafe", 1},
		{"long", strings.Repeat("a", 1000), strings.Repeat("a", 80), 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Distance(tt.a, tt.b); got != tt.want {
				t.Errorf("Distance(%.20q, %.20q) = %d, want %d", tt.a, tt.b, got, tt.want)
			}
		})
	}
}

func TestNames(t *testing.T) {
	names := []string{"Harbour Bikes", "Harbor Dental", "Harbor  Dental", "Green Acres, Inc.", "Tea", "crm-3001", "crm-3003", "Café Lumière", "North Sea Bakery", "Harbor Dental"}
	for text, want := range map[string][]string{
		"Harber":        {"Harbor Dental", "Harbor  Dental", "Harbour Bikes"},
		"harbour":       {"Harbour Bikes", "Harbor Dental", "Harbor  Dental"},
		"HarbourBikes":  {"Harbour Bikes"},
		"Habor Dentist": {"Harbor Dental", "Harbor  Dental"},
		"bake":          {"North Sea Bakery"},
		"sea  bakrey":   {"North Sea Bakery"},
		"crm-3002":      {"crm-3001", "crm-3003"},
		"acres":         {"Green Acres, Inc."},
		"te":            nil,
		"tee":           {"Tea"},
		"moon":          nil,
		"":              nil,
		" ":             nil,
		"Harber Shop":   nil,
	} {
		t.Run(text, func(t *testing.T) {
			if got := Names(text, names, 3); !slices.Equal(got, want) {
				t.Errorf("Names(%q) = %q, want %q", text, got, want)
			}
		})
	}
}
