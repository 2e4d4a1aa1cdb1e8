// Package summary computes the report that a customer gets: a period and the one with which it
// is compared, figures, sentences, and what else a page shows of one campaign. It is given the
// rows of the service's reports, and knows no call, no HTML and no command.
package summary
