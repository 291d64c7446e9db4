// Makes all files of a release and publishes nothing, which the workflow of a tag does.
import {copyFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {readFacts} from './facts.js'
import {changedSince, findObstacles} from './readiness.ts'
import {digest, folder, pack, run} from './steps.js'

const {values} = parseArgs({
  options: {
    'dry-run': {type: 'boolean', default: false},
    /** The tag that this is a release of; the gate ran before it was made. */
    tag: {type: 'string'},
    gate: {type: 'boolean', default: true},
  },
  allowNegative: true,
})
const {'dry-run': isDryRun, tag} = values
const say = (text) => process.stdout.write(`${text}\n`)

const facts = readFacts(tag)
const obstacles = findObstacles(facts)
for (const obstacle of obstacles) say(`not ready: ${obstacle}`)
if (obstacles.length > 0 && !isDryRun) leave('Nothing was made.')
if (!values.gate && !isDryRun && tag === undefined) leave('Only a dry run may leave the gate out.')

if (values.gate) for (const script of ['test', 'gate']) run(['run', script])
else say('The gate was not run.')
const tarball = pack(facts.version, facts.repository?.package)
const changed = changedSince(facts, readFacts(tag))
if (changed.length > 0) leave(`Packing changed files, commit them: ${changed.join(', ')}.`)
run(['run', '--silent', 'check:package', '--', tarball])

const bill = `vendorctl-${facts.version}.cdx.json`
copyFileSync('dist/sbom.cdx.json', join(folder, bill))
const sums = [tarball, join(folder, bill)].map((path) => `${digest(path)}  ${path.slice(folder.length + 1)}\n`).join('')
writeFileSync(join(folder, 'SHA256SUMS'), sums)
say(`\nvendorctl ${facts.version} of ${facts.commit}, in ${folder}:\n${sums}`)

if (obstacles.length > 0) leave('This was a dry run, and this state is not ready: see above.')
if (isDryRun) say('This was a dry run; the state is ready, nothing was tagged or published.')
else if (tag === undefined) say(`To publish it: git tag v${facts.version} && git push origin v${facts.version}`)

function leave(why) {
  say(why)
  process.exit(1)
}
