import {describe, expect} from 'vitest'
import {test, writeLines as write} from '../support/binary.js'
import {onTerminal} from '../support/on-terminal.js'

const ids = Array.from({length: 30}, (_, index) => String(1001 + index))
const count = (screen: string, pattern: RegExp) => [...screen.matchAll(pattern)].length

describe.concurrent('a dry run on a terminal', () => {
  test('shows the first changes, and ends with the verdict; -v and -o show all of them', async ({start, home}) => {
    const {environment} = await start({machines: 20})
    const rows = ids.map((id) => `${id},777`)
    write(home, 's.csv', 'id,maxChargePrice', ...rows, ...Array.from({length: 8}, (_, index) => `${99990 + index},777`))
    const words = '$vendorctl sites update -f s.csv --dry-run'

    const brief = await onTerminal(words, environment, [])
    const all = await onTerminal(`${words} -v`, environment, [])
    const piped = await onTerminal(`${words} > changes.txt; cat changes.txt`, environment, [])

    const verdict = /Nothing was sent\.\n$/
    const change = /maxChargePrice +\S+ (?:→ | *)777$/gm
    expect([brief, all].map(({screen}) => count(screen, change))).toEqual([10, 30])
    expect(count(piped.screen, change)).toBe(30)
    expect(brief.screen).toMatch(/… and 20 more changes \(-v shows all\)\n[\s\S]*no site 99990 exists/)
    for (const {screen} of [brief, all]) expect(screen).toMatch(verdict)
  })

  test('shows the first new records', async ({start, home}) => {
    const {environment} = await start({machines: 20})
    write(home, 'a.csv', 'machineId,code,message', ...ids.slice(0, 12).map((id) => `5001,CJ,Jam ${id}`))
    const words = '$vendorctl alerts create -f a.csv --dry-run'

    const brief = await onTerminal(words, environment, [])
    const all = await onTerminal(`${words} -v`, environment, [])

    expect([brief, all].map(({screen}) => count(screen, /^5001 +CJ +Jam/gm))).toEqual([10, 12])
    expect(brief.screen).toMatch(/… and 2 more alerts \(-v shows all\)\n[\s\S]*Nothing was sent\.\n$/)
  })
})

test('of a column that is no field shows no change, and the flag that names its field', async ({run, home}) => {
  const file = write(home, 'preise.csv', 'name,Höchstpreis', 'Ferry Quay,777')
  const words = ['sites', 'update', '-f', file, '--dry-run']

  const matched = await run([...words, '--match', 'name'])
  const unmatched = await run(words)
  const mapped = await run([...words, '--map', 'Höchstpreis=maxChargePrice', '--match', 'name'])

  expect(matched).toMatchObject({exitCode: 3, stdout: ''})
  expect(matched.stderr).toContain('0 changes in 0 records')
  expect(matched.stderr).toContain("To read its columns that way, add: --map 'Höchstpreis=maxChargePrice'\n")
  expect(unmatched.stderr).toContain("add: --map 'Höchstpreis=maxChargePrice' --match name\n")
  expect(mapped).toMatchObject({exitCode: 0, stdout: expect.stringMatching(/Ferry Quay +maxChargePrice +\d+ +777/)})
})

test('prints every new record with all of its fields in the format of -o', async ({run, home}) => {
  const file = write(home, 'd.csv', 'machineId,key,value', ...ids.map((id) => `5001,key ${id},a|b`))
  const words = ['machines', 'custom-data', 'create', '-f', file, '--dry-run']

  const [markdown, table, plain] = [
    await run([...words, '-o', 'markdown']),
    await run([...words, '-o', 'table']),
    await run(words),
  ]

  expect(markdown.stdout).toContain('| machineId | key | value |\n| --- | --- | --- |\n| 5001 | key 1001 | a\\|b |\n')
  expect([markdown, table].map(({stdout}) => count(stdout, /key \d+/g))).toEqual([30, 30])
  expect(markdown.stderr).not.toContain('key 1001')
  expect(plain.stdout).toBe('')
})
