package cmd_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"reseller/client/trust"
)

// TestRecipes parses each recipe below examples/ci and runs its shell steps with the mock,
// twice: the second run, as after a cancelled one, finds all rows.
func TestRecipes(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../examples/ci/*")
	if err != nil || len(paths) != 7 {
		t.Fatalf("got recipes %q, error %v, want 7", paths, err)
	}
	guide, dir := readPage(t, "docs/ci.md"), t.TempDir()
	for _, path := range paths {
		name := filepath.Base(path)
		if !strings.Contains(guide, "(../examples/ci/"+name+")") {
			t.Errorf("docs/ci.md does not link to %s", name)
		}
		steps := recipeSteps(t, name, readPage(t, "examples/ci/"+name))
		script := strings.Join(steps, "\n")
		if !strings.Contains(script, "reseller keywords add") {
			t.Errorf("%s: got the steps %q, want a load", name, steps)
		}
		script = strings.NewReplacer("--state-dir /state/reseller", "--state-dir state", "/tmp/load.json", "load.json").Replace(script)
		environment := "export RESELLER_SERVER=mock RESELLER_STATE_DIR=state SHARD=1/2 " + map[string]string{
			"gitlab.yml": "CI_NODE_INDEX=2 CI_NODE_TOTAL=2", "indexed-job.yaml": "JOB_COMPLETION_INDEX=0 RESELLER_SHARDS=4",
		}[name] + "\ncp -r examples \"$HOME\"\n"
		if strings.Contains(script, "flock") {
			environment += "command -v flock || exit 0\n"
		}
		folder := "."
		if strings.Contains(script, "$HOME") {
			folder = "$HOME"
		}
		check := "cd \"" + folder + "\"; reseller jobs list --state-dir state --jq '.[].state' | grep finished"
		writeStory(t, filepath.Join(dir, name+".txtar"), shellBlock{script: environment + "(" + script + ")\n(" + script + ")\n" + check})
	}
	runScripts(t, dir)
}

// recipeSteps returns the shell steps of a recipe.
func recipeSteps(t *testing.T, name, text string) (steps []string) {
	t.Helper()
	quoted := map[string]string{"Jenkinsfile": `\bsh '([^']+)'`, "airflow.py": `bash_command="([^"]+)"`, "crontab": `(?m)^(?:\S+ ){5}(.+)$`}
	if pattern := quoted[name]; pattern != "" {
		for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			if !strings.HasPrefix(match[0], "#") {
				steps = append(steps, match[1])
			}
		}
		return steps
	}
	var tree any
	if err := yaml.Unmarshal([]byte(text), &tree); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var find func(any)
	find = func(node any) {
		switch node := node.(type) {
		case []any:
			for _, child := range node {
				find(child)
			}
		case map[string]any:
			for key, child := range node {
				list, _ := child.([]any)
				switch key {
				case "run":
					steps = append(steps, fmt.Sprint(child))
				case "script":
					for _, line := range list {
						steps = append(steps, fmt.Sprint(line))
					}
				case "args": // of the program
					line := "reseller"
					for _, word := range list {
						line += " " + trust.ShellWord(fmt.Sprint(word))
					}
					steps = append(steps, line)
				default:
					find(child)
				}
			}
		}
	}
	find(tree)
	return steps
}

// TestRecipesRetryAlike looks for the codes after which each recipe that can tell them apart runs a load again: those that the
// guide names. After 3, what was refused would be refused again.
func TestRecipesRetryAlike(t *testing.T) {
	const never = "onExitCodes: {operator: In, values: [1, 2, 3, 5, 6]}"
	for page, want := range map[string]string{
		"docs/ci.md": "after 7 and 9, run the same command again later", "docs/pipelines.md": "after 7 and 9, run the same command again",
		"examples/ci/gitlab.yml": "exit_codes: [7, 9]", "examples/ci/cronjob.yaml": never, "examples/ci/indexed-job.yaml": never,
	} {
		if !strings.Contains(readPage(t, page), want) {
			t.Errorf("%s has no %q", page, want)
		}
	}
}
