import {readFileSync, writeFileSync} from 'node:fs'

// Sorts the commands of the manifest, which oclif writes in the order of the disk: the same commands give the same bytes.
const file = 'oclif.manifest.json'
const {commands, ...facts} = JSON.parse(readFileSync(file, 'utf8'))
const sorted = Object.fromEntries(Object.entries(commands).sort(([one], [other]) => (one < other ? -1 : 1)))
writeFileSync(file, JSON.stringify({commands: sorted, ...facts}, undefined, 2))
