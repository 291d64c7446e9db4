// Part of npm run bump: the newest section of CHANGELOG.md says to users what changesets says to developers.
import {readFileSync, writeFileSync} from 'node:fs'

const headings = {Major: 'Before you upgrade', Minor: 'New', Patch: 'Fixed'}
const [head, newest, ...others] = readFileSync('CHANGELOG.md', 'utf8').split(/^(?=## )/m)
const plain = newest
  .replace(/^### (Major|Minor|Patch) Changes$/gm, (_, kind) => `### ${headings[kind]}`)
  .replace(/^- [0-9a-f]{7}: /gm, '- ')
writeFileSync('CHANGELOG.md', [head, plain, ...others].join(''))
