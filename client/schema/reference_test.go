package schema

import "testing"

func TestIsID(t *testing.T) {
	for text, want := range map[string]bool{
		"2": true, " 2 ": true, "-2": true, "+2": true, "2.0": true, "99999999999999999999": true, "0": true, "0.5": true, "1,2": true,
		"": false, "crm-3001": false, "555-0100": false, "007": false, "00": false, "-007": false, "2nd Street": false, "inf": false, "1e5": false, "0x10": false, "-": false, "٣": false,
	} {
		t.Run(text, func(t *testing.T) {
			if got := IsID(text); got != want {
				t.Errorf("IsID(%q) = %t, want %t", text, got, want)
			}
		})
	}
}
