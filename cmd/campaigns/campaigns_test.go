package campaigns

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"reseller/client/schema"
	"reseller/cmd/cli"
	"reseller/cmd/resource"
)

func execute(c *cobra.Command, args ...string) error {
	c.SetGlobalNormalizationFunc(cli.Normalize)
	c.SetArgs(args)
	c.SetOut(io.Discard)
	c.SetErr(io.Discard)
	c.SilenceErrors, c.SilenceUsage = true, true
	return c.Execute()
}

func TestArguments(t *testing.T) {
	for command, wrong := range map[string][]string{"list": {"--account 1.0", "--account=", "more"}, "get": {"", "1.0", "101 102"}} {
		for _, args := range wrong {
			t.Run(command+" "+args, func(t *testing.T) {
				f := cli.NewFrame(cli.Streams{}, "")
				c := map[string]*cobra.Command{"list": listCmd.Command(f), "get": newNotesGetCmd(f)}[command]
				if err := execute(c, strings.Fields(args)...); cli.ExitCode(err) != cli.ExitUsage {
					t.Errorf("got error %v, want a usage error", err)
				}
			})
		}
	}
}

// notesBody is the body that flags alone make.
func notesBody(stdin string, args ...string) (string, error) {
	f := cli.NewFrame(cli.Streams{}, "")
	body := ""
	err := execute(newNotesUpdateCmd(f, func(c *cobra.Command, _ *cli.Frame, o *notesUpdateOptions) error {
		values, err := o.fields.Values(context.Background(), f.Session, &schema.Notes, schema.Update)
		if err == nil {
			err = o.texts.read(c, cli.NewFrame(cli.Streams{In: strings.NewReader(stdin)}, "").Session, values)
		}
		if err == nil {
			_, err = resource.ChooseID("CAMPAIGN_ID", "", o.id, values)
		}
		body = string(schema.Notes.Body(values))
		return err
	}), args...)
	return body, err
}

func TestNotesUpdateTexts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	for _, c := range []struct{ file, want string }{
		{"a\nb\n", `a\nb`}, {"a\n\n", `a\n`}, {"a\r\n", "a"}, {"a", "a"}, {"", ""}, {"\n", ""}, {"a\r", `a\r`}, {"\ufeffa\n", "a"},
	} {
		t.Run(strconv.Quote(c.file), func(t *testing.T) {
			if err := os.WriteFile(path, []byte(c.file), 0o600); err != nil {
				t.Fatal(err)
			}
			want := `{"campaign_id":101,"writer_instructions":"` + c.want + `"}`
			if got, err := notesBody("", "101", "--writer-instructions-file", path); err != nil || got != want {
				t.Errorf("from a file: got %s, error %v, want %s", got, err, want)
			}
			if got, err := notesBody(c.file, "101", "--writer-instructions-file", "-"); err != nil || got != want {
				t.Errorf("from stdin: got %s, error %v, want %s", got, err, want)
			}
		})
	}
	t.Run("a flag and stdin", func(t *testing.T) {
		got, err := notesBody("from stdin\n", "--campaign-id", "101", "--writer-instructions", "", "--additional-instructions-file", "-")
		if want := `{"campaign_id":101,"writer_instructions":"","additional_instructions":"from stdin"}`; err != nil || got != want {
			t.Errorf("got %s, error %v, want %s", got, err, want)
		}
	})
}

func TestNotesUpdateErrors(t *testing.T) {
	for _, c := range []struct {
		want string
		args []string
	}{
		{"missing: CAMPAIGN_ID", []string{"--writer-instructions", "x"}},
		{"name different campaigns", []string{"101", "--campaign", "102", "--writer-instructions", "x"}},
		{`CAMPAIGN_ID: "1.0"`, []string{"1.0"}},
		{"too many arguments", []string{"101", "102"}},
		{"can't be used together", []string{"101", "--writer-instructions", "x", "--writer-instructions-file", "f"}},
		{"can't be used together", []string{"101", "--writer-instructions-file", "-", "--additional-instructions", "x", "--additional-instructions-file", "f"}},
		{"both read stdin", []string{"101", "--writer-instructions-file", "-", "--additional-instructions-file", "-"}},
		{"both read stdin", []string{"--file", "-", "--additional-instructions-file", "-"}},
		{"the path is empty", []string{"101", "--writer-instructions-file", ""}},
		{"no such file", []string{"101", "--writer-instructions-file", filepath.Join(t.TempDir(), "absent")}},
		{"not valid UTF-8", []string{"101", "--writer-instructions-file", "-"}},
	} {
		t.Run(c.want, func(t *testing.T) {
			if _, err := notesBody("\xff", c.args...); err == nil || !strings.Contains(err.Error(), c.want) || cli.ExitCode(err) != cli.ExitUsage {
				t.Errorf("%q: got %v, want a usage error with %q", c.args, err, c.want)
			}
		})
	}
}
