// Package chart draws numbers: in a terminal (Text), or in a file as a picture or
// as an HTML page that has the numbers in tables, too (Render). It draws labels
// and series of numbers of any kind, and escapes every text that it draws.
package chart
