package cli

import "testing"

func TestSuggest(t *testing.T) {
	commands := []string{"create", "update", "list", "get", "status", "delete", "resume", "remove", "reset", "accounts", "completion", "campaigns"}
	flags := []string{"deactivate", "reactivate", "yes", "columns", "limit", "output", "output-file", "DELETE", "GET", "PATCH"}
	for _, tt := range []struct {
		typed string
		words []string
		want  string
	}{
		{"lst", commands, "list"}, {"acounts", commands, "accounts"}, {"creat", commands, "create"}, {"Status", commands, "status"}, {"acc", commands, "accounts"},
		{"delte", commands, "delete"}, {"delete", []string{"create", "update"}, ""}, {"deleet", commands, "delete"}, {"dlt", commands, ""}, {"rest", commands, "reset"},
		{"remuse", commands, "resume"}, {"relove", commands, "remove"}, {"re", commands, ""}, {"co", commands, ""}, {"del", commands, ""}, {"x", commands, ""}, {"frobnicate", commands, ""},
		{"activate", flags, "reactivate"}, {"deactivat", flags, "deactivate"}, {"colums", flags, "columns"}, {"col", flags, "columns"}, {"outp", flags, "output"}, {"ye", flags, ""},
		{"delet", flags, "DELETE"}, {"dele", flags, ""}, {"get", flags, "GET"},
	} {
		t.Run(tt.typed, func(t *testing.T) {
			if got := Suggest(tt.typed, tt.words); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
