// Package chart draws numbers: in a terminal (Text), or in a file as a picture or
// as an HTML page that has the numbers in tables, too (Render). It knows labels
// and series of numbers, not where they come from. It escapes every text that it
// is given.
package chart
