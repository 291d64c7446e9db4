import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {type Home, test, writeLines} from '../support/binary.js'

const jobsFile = ({config}: Home) => join(config, 'jobs.yaml')

/** What is typed once, and kept. */
const typed = [
  ...['selections', 'update', '--match', 'machineId,selectionNumber', '--lookup', 'machineId=prose'],
  ...['--map', 'Maschine=prose', '--map', 'Platz=selectionNumber', '--map', 'Preis=price', '--locale', 'de'],
]

function writeBook(home: Home): string {
  return writeLines(home, 'book.csv', 'Maschine;Platz;Preis', 'PRS100000;A0;9,50', 'PRS100001;B1;8,00')
}

describe.concurrent('a recipe', () => {
  test('keeps what was typed, without file and consent, and writes and checks by its name', async ({run, home}) => {
    const book = writeBook(home)

    const saved = await run(['import', 'save', 'prices', '--', ...typed, '-vp', 'sandbox', '--yes', '-f', 'other.csv'])
    const checked = await run(['import', 'check', 'prices', book])
    const tried = await run(['import', 'prices', book, '--dry-run', '-o', 'json'])
    const sent = await run(['import', 'prices', book, '--yes', '--json'])

    expect([saved.exitCode, checked.exitCode, tried.exitCode, sent.exitCode]).toEqual([0, 0, 0, 0])
    expect(readFileSync(jobsFile(home), 'utf8')).not.toMatch(/yes|other|profile/)
    expect(saved.stderr).toContain('vendorctl import prices FILE --dry-run --profile sandbox\n')
    expect(saved.stderr).toContain('Not kept: --profile, --yes, --file; give them with each import.')
    expect(checked.stderr).toContain('no problems in 2 rows for selections.update')
    expect(JSON.parse(tried.stdout).changes.map(({to}: {to: number}) => to)).toEqual([9.5, 8])
    expect(JSON.parse(sent.stdout)).toMatchObject({command: 'selections update', meta: {rows: {applied: 2}}})
  })

  test('is added to a jobs file whose comments stay, and is listed', async ({alone, home}) => {
    await alone(['import', 'save', 'first', '--', ...typed])
    const text = `# mine\n${readFileSync(jobsFile(home), 'utf8')}# the end\n`
    writeFileSync(jobsFile(home), text, {mode: 0o600})

    const saved = await alone(['import', 'save', 'second', '--', 'sites', 'update', '--map', 'Name=name'])
    const again = await alone(['import', 'save', 'second', '--', 'sites', 'update', '--map', 'Site=name'])
    const listed = await alone(['import', 'list', '-o', 'csv', '--columns', 'name,command'])

    expect([saved.exitCode, again.exitCode]).toEqual([0, 2])
    expect(readFileSync(jobsFile(home), 'utf8')).toMatch(/^# mine\n(.*\n)*# the end/)
    expect(listed.stdout).toBe('name,command\nfirst,selections update\nsecond,sites update\n')
  })

  test('is kept beside others that are saved at the same time', async ({alone}) => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    await Promise.all(
      names.map((name) => alone(['import', 'save', name, '--', 'sites', 'update', '--map', `${name}=name`])),
    )

    const listed = await alone(['import', 'list', '-o', 'csv', '--columns', 'name', '--sort', 'name'])

    expect(listed.stdout.split('\n').slice(1, -1)).toEqual(names)
  })

  test('gives its flags to its own command and to lint; those of the line win', async ({run, home}) => {
    const book = writeBook(home)
    await run(['import', 'save', 'prices', '--', ...typed, '--max-records', '1'])

    const few = await run(['selections', 'update', '-f', book, '--recipe', 'prices', '--yes'])
    const more = await run(['selections', 'update', '-f', book, '--recipe=prices', '--yes', '--max-records', '2'])
    const checked = await run(['lint', book, '--recipe', 'prices'])
    const other = await run(['sites', 'update', '-f', book, '--recipe', 'prices'])

    expect([few.exitCode, more.exitCode, checked.exitCode, other.exitCode]).toEqual([8, 0, 0, 2])
    expect(other.stderr).toContain('Recipe prices is for selections update, not for sites update.')
  })

  test.for([
    [['import', 'book.csv'], 2, 'Name a recipe before the file'],
    [['import', 'price', 'book.csv'], 2, 'Did you mean prices?'],
    [['import', '--json', 'prices', 'book.csv'], 2, 'Name the recipe and the file first'],
    [['import', 'save', 'list', '--', 'sites', 'update'], 2, 'no name of a recipe'],
    [['import', 'save', 'x', '--', 'sites', 'list'], 2, 'no write from a file'],
    [['import', 'save', 'x'], 2, 'No command is given to save.'],
    [['import', 'save', 'x', '--', 'sites', 'update', '--nope', '3'], 2, 'Unknown flag --nope'],
  ] as const)('%j is refused', async ([words, code, text], {alone, home}) => {
    await alone(['import', 'save', 'prices', '--', ...typed])
    const book = writeBook(home)

    const ran = await alone(words.map((word) => (word === 'book.csv' ? book : word)))

    expect(ran.exitCode).toBe(code)
    expect(ran.stderr + ran.stdout).toContain(text)
  })

  test('a file without a recipe is said to be of the writes that its header fits', async ({alone, home}) => {
    const rows = writeLines(home, 'rows.csv', 'machineId,key,value', '5001,locker,A17')
    const columns = 'accountId,orgId,name,isActive,maxChargePrice,maximumMeterSalesJumpAllowed,commissionTerms'
    const sites = writeLines(home, 'sites.csv', columns)

    const [one, several] = [await alone(['import', rows]), await alone(['import', sites])]

    expect(one.stderr).toContain('take a file with such columns: machines custom-data create; such as:')
    expect(several.stderr).toContain('take a file with such columns: sites apply, sites create; such as:')
  })

  test.for([
    ['yes: true', 'a recipe never contains yes'],
    ['file: x.csv', 'a recipe never contains file'],
    ['profile: other', 'a recipe never contains profile: give it with each import'],
    ['nope: 1', 'unknown flag nope of sites update'],
  ])('with %s is refused at its place', async ([flag, text], {alone, home}) => {
    await alone(['import', 'save', 'prices', '--', ...typed])
    writeFileSync(jobsFile(home), `recipes:\n  sites:\n    command: sites update\n    flags:\n      ${flag}\n`)

    const ran = await alone(['import', 'sites', writeBook(home), '--dry-run'])
    const listed = await alone(['import', 'list'])

    expect(ran.exitCode).toBe(3)
    expect(ran.stderr).toContain(`jobs.yaml:5:7 error ${text}`)
    expect(listed.stderr).toContain('jobs.yaml has problems; see them with: vendorctl jobs check')
  })

  test('is offered after a write with many flags', async ({run, home}) => {
    const ran = await run([...typed, '-f', writeBook(home), '--yes'])

    expect(ran.stderr).toContain(
      '→ Keep these flags under a name: vendorctl import save NAME -- selections update --match',
    )
  })
})
