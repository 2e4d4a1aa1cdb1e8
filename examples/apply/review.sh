#!/bin/sh
# Prints, as markdown, what a change of the files would do to the service: the comment of a
# pull request. The plan is written to plan.json: `reseller apply --plan-file` applies that
# plan or nothing.
set -eu
reseller diff --file "${1:-customers}" --plan-file plan.json -o markdown
