// Package page draws the report that a customer gets as an HTML page, and the index of the pages
// of many campaigns. A page is a single file that runs and loads nothing. Its
// markup is constants of this package; all other texts are data and escaped.
package page
