import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {describe, expect, test} from 'vitest'
import {complete, toFacts, valueOfArgument, valueOfFlag} from '../../../src/cli/completion/answer-completion.js'
import {writeChoices} from '../../../src/cli/completion/contract-values.js'
import {matching} from '../../../src/cli/completion/shells/shell.js'
import {createSources, type Sources} from '../../../src/cli/completion/sources.js'
import {faultNames} from '../../../src/sandbox/faults/faults.js'
import type {CommandFacts} from '../../../src/values/command-facts.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const commands: Record<string, CommandFacts> = read('oclif.manifest.json').commands
const facts = toFacts({
  topics: read('package.json').oclif.topics,
  guides: {importing: '# Importing\n\nCheck a file.\n\nMore.'},
  commands: Object.fromEntries(Object.entries(commands).map(([id, command]) => [id, JSON.stringify(command)])),
})
const known = createSources({}, async () => ({choices: writeChoices(facts.commands, faultNames)}))
const sources: Sources = (name, id) => {
  if (name === 'profiles') return [{value: 'production'}, {value: 'pre prod'}]
  if (name === 'alertCodes') return [{value: 'CJ'}, {value: 'NS'}]
  return name === 'runs' ? [{value: 'latest'}, {value: '20260131-174502-1c84f'}] : known(name, id)
}

/** The words that a line may go on with, whole, with … after one that goes on; FILE where the shell finds files. */
async function offered(line: string): Promise<string[]> {
  const answer = await complete(line.split(' '), facts, sources)
  if (answer.files) return [`${answer.fixed}FILE`]
  return matching(answer).map(({value, open}) => `${answer.fixed}${value}${open ? '…' : ''}`)
}

describe('words of commands', () => {
  test.each([
    ['ma', ['machines']],
    ['machines ', ['custom-data', 'list', 'provision', 'settings', 'update']],
    ['machines custom-data ', ['create']],
    ['sandbox faults s', ['set']],
    ['he', ['help']],
    ['help machines ', ['custom-data', 'list', 'provision', 'settings', 'update']],
    ['help imp', ['import', 'importing']],
    ['impo', ['import']],
    ['help machines list ', []],
    ['nonsense ', []],
    ['machines nonsense ', []],
    ['', facts.commands.map((id) => id.split(':')[0] ?? '')],
  ])('"%s"', async (line, expected) => {
    expect(await offered(line)).toEqual([...new Set(expected)].sort())
  })

  test('each says what it is for', async () => {
    const {candidates} = await complete([''], facts, sources)

    expect(candidates.length).toBeGreaterThan(10)
    expect(candidates.filter(({about}) => !about)).toEqual([])
  })
})

describe('flags', () => {
  test.each([
    ['machines list --st', ['--stage']],
    ['machines list --csv', ['--csv-dialect']],
    ['--', ['--help', '--version']],
    ['machines --', ['--help']],
    ['machines list --limit 3 --lim', []],
    ['machines list --limit=3 --lim', []],
    ['machines list -o csv --outp', ['--output-file']],
    ['machines list -ocsv --outp', ['--output-file']],
    ['machines list -qv --verb', []],
    ['machines list --org 1 --orga', ['--organization']],
    ['machines list --where a=b --whe', ['--where']],
    ['reports verify x.csv --full --samp', []],
    ['sites update --replace --apply', []],
    ['sites update --apply-plan x --repl', []],
    ['machines list -- --st', []],
    ['machines list --help --he', []],
  ])('%s', async (line, expected) => {
    expect(await offered(line)).toEqual(expected)
  })

  test('are offered where no word can stand, those of every command last', async () => {
    const all = await offered('machines list ')

    expect(all.slice(0, 1)).toEqual(['--organization'])
    expect(all.slice(-2)).toEqual(['--no-input', '--help'])
    expect(await offered('machines list x')).toEqual([])
  })
})

describe('values', () => {
  test.each([
    ['machines list --stage ', ['rc', 'v1', 'v2', 'v2.1']],
    ['machines list --stage=v2', ['--stage=v2', '--stage=v2.1']],
    ['machines list -oc', ['-ocsv']],
    ['machines list -o=x', ['-o=xlsx']],
    ['machines list -p pr', ['production', 'pre prod']],
    ['sites create --confirm=prod', ['--confirm=production']],
    ['machines list --columns id,lastH', ['id,lastHeartBeat.server…', 'id,lastHeartBeat.local…']],
    ['machines list --columns name,nam', []],
    ['machines list --columns LASTHEARTBEAT.S', ['lastHeartBeat.server…']],
    ['machines list --sort -id,-nam', ['-id,-name…']],
    ['machines list --sort=-nam', ['--sort=-name…']],
    ['sites list --where isAct', ['isActive=…']],
    ['sites list --where isActive=', ['isActive=true', 'isActive=false']],
    ['sites list --where commissionTerms!=Net1', ['commissionTerms!=Net10', 'commissionTerms!=Net15']],
    ['sites list --where name~', []],
    ['sites list --limit ', []],
    ['alerts clear --code NS,C', ['NS,CJ…']],
    ['alerts clear --code @co', ['@FILE']],
    ['machines update --set mod', ['modelNumber=…', 'mode=…']],
    ['selections update --change pri', ['price=…']],
    ['machines list --machine ', []],
    ['machines list --machine @ma', ['@FILE']],
    ['machines list --machine=@ma', ['--machine=@FILE']],
    ['sites create -f ', ['FILE']],
    ['sites create --file=da', ['--file=FILE']],
    ['sites create -fda', ['-fFILE']],
    ['sites create -o m', ['markdown']],
    ['sites create --map Name=accou', ['Name=accountId']],
    ['sites create --map Na', []],
    ['sites update --match name,acc', ['name,accountId…']],
    ['sites update --lookup accou', ['accountId=…']],
    ['lint x.csv --operation alerts.', ['alerts.create', 'alerts.update', 'alerts.clear']],
    ['lint ', ['FILE']],
    ['explain NAME_U', ['NAME_UNIQUENESS']],
    ['contract show enve', ['envelope']],
    ['contract show sites.c', ['sites.create']],
    ['runs show ', ['latest', '20260131-174502-1c84f']],
    ['runs remove latest 2026', ['20260131-174502-1c84f']],
    ['runs results latest --columns _f', ['_fate…']],
    ['runs list --columns inD', ['inDoubt…']],
    ['profiles use prod', ['production']],
    ['profiles set x readM', ['readMethod=…']],
    ['profiles set x readMethod=', ['readMethod=GET', 'readMethod=POST']],
    ['profiles set x rate=1 protected=f', ['protected=false']],
    ['sandbox faults set thr', ['throttle@…']],
    ['sandbox faults set reset@a*2 status(503)@sites.l', ['status(503)@sites.list…']],
    ['reports summary --by si', ['site']],
    ['reports summary --columns failedP', ['failedPrice…']],
    ['reports transactions --columns lineItem.sel', ['lineItem.selection…']],
    ['reports transactions --start to', ['today']],
    ['reports coverage --require-grade ', ['A', 'B', 'C', 'D']],
    ['api GE', ['GET']],
    ['api GET /mach', ['/machines', '/machines/provision', '/machines/settings', '/machines/custom-data']],
    ['api GET /machines --filter siteI', ['siteIds=…']],
    ['autocomplete fi', ['fish']],
    ['autocomplete script z', ['zsh']],
    ['autocomplete s', ['script']],
  ])('%s', async (line, expected) => {
    expect(await offered(line)).toEqual(expected)
  })

  test('every column of every list is known', async () => {
    const lists = ['accounts', 'sites', 'machines', 'alerts', 'organizations'].map((topic) => `${topic} list`)

    for (const list of [...lists, 'alerts codes', 'reports transactions']) {
      expect(await offered(`${list} --columns i`)).toContain('id…')
    }
  })
})

/** Flags whose values only the user knows: numbers, times, names of new things. */
const freeFlags = `
  allow-damage at batches bisect-budget canary confirm-count delimiter deliver encoding expires header header-row
  image keep-for late limit map-values max-duration max-records max-requests metrics-name notify-command
  notify-url older-than organization page-size pages-in-flight plan-digest port round sample scope seed set-size
  settle sheet since-last spread template timeout username`

test('values of every other flag and of every argument are offered', () => {
  const flags = Object.values(commands).flatMap((command) => Object.values(command.flags ?? {}))
  const {help: _, ...others} = commands // whose words are those of commands
  const args = Object.entries(others).flatMap(([id, command]) =>
    Object.values(command.args ?? {}).map((argument) => ({id, argument})),
  )

  const free = flags.filter((flag) => flag.type === 'option' && valueOfFlag(flag).form === 'nothing')

  expect([...new Set(free.map(({name}) => name))].sort()).toEqual(freeFlags.trim().split(/\s+/))
  const freeArgs = args.filter(({id, argument}) => valueOfArgument(argument, id).form === 'nothing')
  const ofIds = ['alerts:clear', 'alerts:update', 'machines:update', 'sites:delete', 'sites:update']
  const ofSelections = ['selections:adjust', 'selections:delete', 'selections:update']
  const ofDatabase = ['exports:reset', 'exports:share', 'exports:show']
  const ofWords = ['import:save', 'sandbox:log']
  expect(freeArgs.map(({id}) => id).sort()).toEqual([...ofIds, ...ofSelections, ...ofDatabase, ...ofWords].sort())
})
