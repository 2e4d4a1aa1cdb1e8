package xlsx_test

import (
	"fmt"
	"os"
	"path/filepath"

	"reseller/client/xlsx"
)

// A workbook goes to any io.Writer. The id stays a text, so that it keeps its zeros.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	file, err := os.Create(filepath.Join(dir, "accounts.xlsx"))
	if err != nil {
		panic(err)
	}
	w := xlsx.NewWriter(file, "accounts", []string{"account_id", "budget", "since"})
	w.Text([]byte("0042"))
	w.Number([]byte("99.5"))
	w.Date([]byte("2026-11-22"), false)
	if err := w.EndRow(); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	fmt.Println(file.Close())
	// Output: <nil>
}
