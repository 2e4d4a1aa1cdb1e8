// Package docs has the guides for users, which the program shows by `reseller help guide`.
package docs

import "embed"

// Guides are the guides as Markdown, one file each. The pages beside them are for
// developers.
//
//go:embed apply.md ci.md exports.md library.md mock.md onboard.md pipelines.md profiles.md recovery.md reports.md spreadsheets.md tour.md
var Guides embed.FS
