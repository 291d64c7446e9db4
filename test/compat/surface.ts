import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {pathToFileURL} from 'node:url'
import {type Kind, type Surface, toSurface} from './breaks.js'
import {readSchema, readShape} from './shapes.js'

type Ran = {exitCode: number | null; stdout: string; stderr: string}
/** Runs the built program to its end. */
type Start = (words: readonly string[], options: {environment: Record<string, string>; cwd: string}) => Promise<Ran>
type Run = (words: readonly string[]) => Promise<Ran>
type Facts = [kind: Kind, subject: string, items: string[]]

type Flag = {
  name: string
  char?: string
  type: string
  env?: string
  options?: string[]
  aliases?: string[]
  allowNo?: boolean
  multiple?: boolean
  required?: boolean
  default?: unknown
}
type Command = {flags: Record<string, Flag>; args: Record<string, {name: string; required?: boolean}>}

/** All that the built program at `root` promises, from its manifest, its documents, and what its commands print. */
export async function readSurface(root: string, start: Start): Promise<Surface> {
  const manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')) as {
    commands: Record<string, Command>
  }
  const commands = new Map(Object.entries(manifest.commands).map(([id, command]) => [id.replaceAll(':', ' '), command]))
  const folder = mkdtempSync(join(tmpdir(), 'vendorctl-surface-'))
  const homes = Object.fromEntries(['CONFIG', 'STATE'].map((name) => [`XDG_${name}_HOME`, join(folder, name)]))
  const cache = {XDG_CACHE_HOME: join(tmpdir(), 'vendorctl-test-compile-cache')} // a stopped sandbox may still write there
  const environment = {HOME: folder, ...homes, ...cache, VENDORCTL_RATE: '1000', VENDORCTL_BURST: '1000'}
  const run: Run = (words) => start(words, {environment, cwd: folder})
  try {
    const facts = [...commands].flatMap(([id, command]) => readCommand(id, command))
    facts.push(...readLibrary(root), await readSettings(root), ...(await readDocuments(run)))
    facts.push(...(await readRuns(run, folder, commands)))
    return toSurface(facts)
  } finally {
    await run(['sandbox', 'stop'])
    rmSync(folder, {recursive: true, force: true})
  }
}

function readCommand(id: string, {flags, args}: Command): Facts[] {
  const known = Object.values(flags)
  const given = Object.values(args)
  return [
    ['command', id, [...given.map(({name}) => `<${name}>`), ...known.flatMap(namesOf)]],
    ...known.flatMap(({name, options}): Facts[] => (options ? [['values', `${id} --${name}`, options]] : [])),
    ['needs', id, [...known, ...given].flatMap(({name, required}) => (required ? [name] : []))],
  ]
}

/** A flag as scripts write it, with its variable where that is not `VENDORCTL_` and its name. */
function namesOf({name, char, type, env, aliases = [], allowNo, multiple}: Flag): string[] {
  const usual = `VENDORCTL_${name.replaceAll('-', '_').toUpperCase()}`
  const value = type === 'boolean' ? '' : multiple ? '=…' : '='
  const variable = env === usual ? '' : `(${env ?? ''})`
  const others = aliases.map((alias) => `--${alias}${value}`)
  return [
    `--${name}${value}${variable}`,
    ...(char ? [`-${char}`] : []),
    ...others,
    ...(allowNo ? [`--no-${name}`] : []),
  ]
}

/** Exported names of the library, and the members of its types. */
function readLibrary(root: string): Facts[] {
  const text = readFileSync(join(root, 'dist/library/index.d.cts'), 'utf8')
  const exported = (/\nexport type \{ (.*) \};/.exec(text)?.[1] ?? '').split(', ')
  const values = [...text.matchAll(/^export declare (?:class|function) (\w+)/gm)].map(([, name = '']) => name)
  const names = [...new Set([...exported, ...values])]
  const members = names.map((name): Facts => {
    const [, body = ''] =
      new RegExp(`\\n(?:export )?(?:declare )?(?:type|class|interface) ${name}\\b[^\\n]*\\{\\n(.*?)\\n\\}`, 's').exec(
        text,
      ) ?? []
    return ['library', name, body.split('\n').flatMap((line) => (/^ {2}[\w(]/.test(line) ? [line.trim()] : []))]
  })
  return [['library', 'exports', names], ...members.filter(([, , items]) => items.length > 0)]
}

/** The variable of each setting, from where they are read, not from the guide. */
async function readSettings(root: string): Promise<Facts> {
  const {settingKeys} = (await import(pathToFileURL(join(root, 'build/settings/setting-keys.js')).href)) as {
    settingKeys: Record<string, {environment: string}>
  }
  return ['variables', 'settings', Object.entries(settingKeys).map(([key, row]) => `${key}=${row.environment}`)]
}

/** Schemas, exit codes, variables, and the tables and views of a mirror. */
async function readDocuments(run: Run): Promise<Facts[]> {
  const print = async (...words: string[]) => (await run(words)).stdout
  const schemas = ['envelope', 'plan', 'jobs'].map(async (name) =>
    readSchema(name, JSON.parse(await print('contract', 'show', name, '--format', 'json-schema'))),
  )
  const {data} = JSON.parse(await print('explain', '--json')) as {data: {kind: string; code: string; number: number}[]}
  const codes = Object.entries(Object.groupBy(data, ({kind}) => kind)).map(
    ([kind, known = []]): Facts => ['codes', kind, known.map(({code, number}) => `${code}=${number}`)],
  )
  const variables = [...new Set((await print('help', 'environment')).match(/VENDORCTL_[A-Z_]*[A-Z]/g))]
  const sql = await print('contract', 'show', '--format', 'sql', '--dialect', 'sqlite')
  const postgres = await print('contract', 'show', '--format', 'sql', '--dialect', 'postgres')
  return [
    ...(await Promise.all(schemas)),
    ...codes,
    ['variables', 'environment', variables],
    ...readTables('sqlite', sql),
    [
      'mirror',
      'postgres',
      [...postgres.matchAll(/^CREATE .*?(TABLE|VIEW) (?:IF NOT EXISTS )?(\w+)/gm)].map(([, , name = '']) => name),
    ],
  ]
}

function readTables(dialect: string, sql: string): Facts[] {
  const database = new DatabaseSync(':memory:')
  database.exec(sql)
  const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')`).all()
  const columns = database.prepare('SELECT name, type FROM pragma_table_info(?)')
  return tables.map(({name}) => [
    'mirror',
    `${dialect} ${String(name)}`,
    columns.all(String(name)).map((column) => `${String(column['name'])}:${String(column['type']) || 'any'}`),
  ])
}

const sites = (...lines: string[]) =>
  `accountId,orgId,name,isActive,maxChargePrice,maximumMeterSalesJumpAllowed,commissionTerms\n${lines.join('\n')}\n`
const site = (name: string, price = '500') => `201,101,${name},true,${price},10,Net10`

const files = {
  'good.csv': sites(site('One'), site('Two')),
  'partly.csv': sites(site('Three'), site('Ferry Quay')),
  'taken.csv': sites(site('Ferry Quay')),
  'doubt.csv': sites(site('Five')),
  'bad.csv': sites(site('Four', 'much')),
  'prices.csv': 'id,maxChargePrice\n1001,600\n',
  'jobs.yaml': 'jobs: {codes: {command: alerts codes}}\n',
}

const range = '--start -20d --end -10d'
const resources = ['organizations', 'accounts', 'sites', 'machines', 'alerts', 'products', 'selections', 'templates']

/** Commands one after the other: how each ends is recorded, and the header or the keys of what it prints. */
const lines = [
  ...[...resources, 'roles'].map((name) => `${name} list --limit 2`),
  ...[
    'alerts codes',
    'machines settings list',
    'organizations tree',
    'sessions list',
    'sessions events',
    'roles rights',
  ],
  ...['role-rights list', 'templates selections --template 412', 'profiles list', 'profiles show', 'auth status'],
  ...[`reports transactions ${range}`, `reports inventory ${range}`, `reports metadata ${range}`],
  ...['day', 'hour', 'site', 'machine', 'product'].map((by) => `reports summary --by ${by} ${range}`),
  ...['reports coverage', 'jobs list --jobs-file jobs.yaml', 'import list --jobs-file jobs.yaml', 'explain 7', 'quota'],
  `reports transactions ${range} --output-file tx.csv --since-last nightly`,
  ...['exports list', 'exports show nightly', 'reports verify tx.csv', 'reports changes tx.csv'],
  ...['sites create -f good.csv --dry-run --detailed-exitcode', 'sites create -f good.csv --yes --results results.csv'],
  ...['sites update -f prices.csv --yes', 'runs undo latest --dry-run', 'sites apply -f good.csv --dry-run'],
  ...['sites create -f taken.csv --yes', 'sites create -f partly.csv --yes --set-size 1', 'sites create -f bad.csv'],
  ...[
    'sites create -f good.csv --dry-run --plan-out plan.json',
    'plan show plan.json',
    'machines list --limit 1 --json',
  ],
  ...[
    'runs list',
    'runs show latest',
    'runs results latest',
    'runs reconcile latest',
    'runs audit',
    'runs resume latest',
  ],
  ...[
    'sync --db mirror.db',
    'lint bad.csv --operation sites.create',
    'sandbox faults',
    'sandbox status',
    'machines lst',
  ],
  ...['machines list --limit x', 'machines list --max-requests 0', 'machines list --machine none --fail-on-empty'],
  ...['machines list --start', 'sites list --where name', 'selections list --page-size 100 --max-requests 1'],
  ...['reports transactions --start 2024-01-01 --end 2024-12-31 --no-split', 'auth login --password-file /nowhere'],
  ...['organizations list --output-file /nowhere/at/all.csv', 'runs show 20200101-000000-aaaaa', 'runs resume x'],
  ...[
    'sandbox faults set json(x)@machines.list',
    'machines list',
    'sandbox faults set redirect(http://127.0.0.1:9)@sites.list',
  ],
  ...['sites list', 'sandbox faults set reset-after-commit@sites.create', 'sites create -f doubt.csv --yes'],
].map((line) => line.split(' '))

async function readRuns(run: Run, folder: string, commands: ReadonlyMap<string, Command>): Promise<Facts[]> {
  const prints = new Set(
    [...commands].flatMap(([id, {flags}]) => (flags['output']?.options?.includes('csv') ? [id] : [])),
  )

  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const started = await run(['sandbox', 'start', '--port', '0', '--detach', '--no-limits', '--batches', '40'])
  if (started.exitCode !== 0) throw new Error(started.stderr)
  await run(['profiles', 'use', 'sandbox'])
  const facts: Facts[] = []
  const isLater = ([first, second]: readonly string[]) => !commands.has(`${first} ${second}`) && second !== 'lst'
  for (const words of lines) {
    const name = [3, 2, 1].map((count) => words.slice(0, count).join(' ')).find((each) => commands.has(each))
    if (name === undefined && isLater(words)) continue
    const isList =
      name !== undefined && !words.includes('--json') && !words.includes('--output-file') && prints.has(name)
    const ran = await run(isList ? [...words, '-o', 'csv'] : [...words, '--json'])
    const subject = words.join(' ')
    facts.push(['exit', subject, [String(ran.exitCode)]])
    if (isList) facts.push(['columns', subject, (ran.stdout.split('\n')[0] ?? '').split(',')])
    else if (name !== undefined) facts.push(['output', subject, readShape(JSON.parse(ran.stdout))])
  }
  for (const name of ['tx.csv', 'results.csv', 'partly.rejects.csv'])
    facts.push(['columns', name, (readFileSync(join(folder, name), 'utf8').split('\n')[0] ?? '').split(',')])
  return facts
}
