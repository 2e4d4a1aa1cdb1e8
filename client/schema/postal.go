package schema

import (
	"fmt"
	"strings"
)

// postalCodes has the countries whose postal codes all have the same number of digits and nothing else: the code of the
// country, the number of digits, and with how many zeros a code may begin at most. Compare the table with the sheets "Postal
// addressing systems in member countries" of the Universal Postal Union. Countries whose codes have
// letters, or several lengths, are left out.
const postalCodes = " AL40 AM42 AT40 AU41 AX50 AZ40 BA50 BD40 BE40 BG40 BR81 BT50 BY60 CH40 CN61 CO61 CR50 CU50 CY40 CZ50 DE51 DK41 DO50" +
	" DZ51 EC61 EE50 ES51 ET40 FI52 FO30 FR51 GE41 GF50 GL40 GP50 GR50 GT51 HN50 HR50 HU40 ID50 IN60 IS30 IT52 JO50 JP71 KE52 KG60 KR51" +
	" LA51 LI40 LK52 LT52 LU40 LV40 MA50 MC50 ME50 MG30 MK40 MQ50 MX51 MY51 NC50 NG60 NI50 NO42 NP50 NZ41 OM30 PE51 PF50 PG30 PH41 PK50" +
	" PL52 PM50 RE50 RO61 RU60 SE50 SG61 SI40 SJ40 SK51 SM50 TH50 TJ60 TM60 TN40 TR51 UA51 US51 UY50 UZ60 VA52 WF50 XK50 YT50 ZA42 ZM50 "

// postalLength returns how many digits the postal codes of a country have, 0 if they are not all alike, and with how many
// zeros they may begin.
func postalLength(country string) (digits, zeros int) {
	at := strings.Index(postalCodes, " "+country)
	if len(country) != len("US") || at < 0 {
		return 0, 0
	}
	return int(postalCodes[at+3] - '0'), int(postalCodes[at+4] - '0')
}

// addZeros puts back the zeros at the beginning of a postal code, which are lost where a spreadsheet takes it for a number.
func addZeros(f *Field, text, country string) string {
	digits, zeros := postalLength(country)
	if lost := digits - len(text); f.Content == PostalCode && text != "" && lost > 0 && lost <= zeros && text[0] != '0' && isDigits(text) {
		return strings.Repeat("0", lost) + text
	}
	return text
}

// CheckPostal returns an error if the value of a field is a number that is too short for the postal codes of a country, so
// that some of its digits are lost, or too long, as a phone number is. country is a code of two letters, "" if it is not known.
func (f *Field) CheckPostal(text, country string) error {
	const plusFour = 9 // of a code of the US without its hyphen
	digits, _ := postalLength(country)
	switch n := len(text); {
	case f.Content != PostalCode || n == 0 || n == digits || digits == 0 || !isDigits(text) || country == "US" && n == plusFour:
		return nil
	case n > digits:
		return fmt.Errorf("%q is no postal code of %s, which all have %d digits", text, country, digits)
	}
	return fmt.Errorf("%q is no postal code of %s, which all have %d digits: write the whole code, with its zeros", text, country, digits)
}
