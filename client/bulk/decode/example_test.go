package decode_test

import (
	"fmt"
	"log"
	"strings"

	"reseller/client/bulk/decode"
)

// contacts is the schema of a file with the columns name and email.
type contacts struct{}

func (contacts) Secret() bool              { return false }
func (contacts) LineField() string         { return "" }
func (contacts) IsLine(string) bool        { return false }
func (contacts) IsColumn(name string) bool { return name == "name" || name == "email" }
func (contacts) Fit(decode.Header) int     { return 1 }

// Read the rows of standard input, whose format is detected by its header.
func Example() {
	stdin := strings.NewReader("name;email\nAda;ada@example.com\n\"Kim\n(Sales)\";kim@example.com\n")
	file, err := decode.Open(decode.Options{Path: "-", Stdin: stdin}, contacts{})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = file.Close() }()

	header, err := file.ReadHeader()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s with the columns %q; %s\n", file.Format, header.Columns, header.Notes[0])
	for row, err := range file.Rows() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("line %d: %q\n", row.Line, row.Cells)
	}
	// Output:
	// csv with the columns ["name" "email"]; the cells are separated by semicolons
	// line 2: ["Ada" "ada@example.com"]
	// line 3: ["Kim\n(Sales)" "kim@example.com"]
}
