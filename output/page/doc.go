// Package page draws the report that a customer gets as an HTML page, and the index of the pages
// of many campaigns. A page is a single file that runs and loads nothing. All texts of it are
// data: html/template escapes them.
package page
