// Package spill keeps in a temporary file what would take too much memory. It knows neither rows nor events: what it keeps
// is records of bytes.
//
// Begin with Create. A File has several parts. The records that were appended to a part come back in the same order.
package spill
