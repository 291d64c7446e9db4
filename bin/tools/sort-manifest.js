import {readFileSync, writeFileSync} from 'node:fs'

// The commands come in the order in which the disk names their files: in order, the same commands give the same bytes.
const file = 'oclif.manifest.json'
const {commands, ...facts} = JSON.parse(readFileSync(file, 'utf8'))
const sorted = Object.fromEntries(Object.entries(commands).sort(([one], [other]) => (one < other ? -1 : 1)))
writeFileSync(file, JSON.stringify({commands: sorted, ...facts}, undefined, 2))
