import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {requestsOf, test, writeLines as write} from '../support/binary.js'
import {onTerminal} from '../support/on-terminal.js'

const clearCoinJams = ['alerts', 'clear', '--code', 'CJ', '--start', '-60d']

describe.concurrent('on a terminal', () => {
  test('standard error in a file changes nothing about the question', async ({start, home}) => {
    const {environment, sandbox} = await start({machines: 300})

    const line = `$vendorctl ${clearCoinJams.join(' ')} 2>${home.path}/errors.txt`
    const {exitCode, screen} = await onTerminal(line, environment, ['n\r'])

    expect(exitCode).toBe(1)
    expect(screen).toMatch(/10 open alerts at[\s\S]*10 alerts to clear\.[\s\S]*Clear 10 alerts in default\?/)
    expect(readFileSync(join(home.path, 'errors.txt'), 'utf8')).toContain('Cancelled; nothing was sent.')
    expect(requestsOf(sandbox)['alerts.clear']).toBeUndefined()
  })

  test('a file on standard input is asked about, and d shows every change first', async ({start, home}) => {
    const {environment, sandbox} = await start({machines: 300})
    const gone = Array.from({length: 8}, (_, index) => `${99990 + index},Gone`)
    write(home, 'alerts.csv', 'id,message', '70001,One', '70002,Two', ...gone)

    const line = '$vendorctl alerts update -f - --input-format csv < alerts.csv'
    const {exitCode, screen} = await onTerminal(line, environment, ['d\r', 'y\r'])

    const [above = '', below = ''] = screen.split('Update 10 alerts from stdin in default?')
    expect(exitCode).toBe(5)
    expect(above).toContain('2 changes in 2 records; 0 already up to date.\nChanges by field: message 2.\n')
    expect(above).toMatch(/8 ids not found: 99990, 99991, 99992, 99993, 99994 .*sent anyway\.\n {2}… and 3 more\n/)
    expect(below).not.toMatch(/70001/)
    expect(screen).toMatch(/70001 {2}NC PRS100000 {2}message .* One\n/)
    expect(requestsOf(sandbox)['alerts.update']).toBe(1)
  })

  test('rows that are typed are asked about after their end', async ({start}) => {
    const {environment, sandbox} = await start({machines: 300})

    const line = 'echo typing; $vendorctl alerts update -f - --input-format csv'
    const keys = ['id,message\n70001,One\n70002,Two\n\x04', 'n\r']
    const {exitCode, screen} = await onTerminal(line, environment, keys, /typing|\(y\/N/)

    expect(exitCode).toBe(1)
    expect(screen).toContain('Cancelled; nothing was sent.')
    expect(requestsOf(sandbox)['alerts.update']).toBeUndefined()
  })

  test('Ctrl-Z stops all that the shell sees, and after fg the question is answered', async ({start}) => {
    const {environment} = await start({machines: 300})

    const asked = `$vendorctl ${clearCoinJams.join(' ')} --notify-command true`
    const {exitCode, screen} = await onTerminal(`set -m; ${asked}; echo "code $?"; fg`, environment, ['\x1a', 'n\r'])

    expect(screen).toContain('code 148')
    expect(screen).toContain('Cancelled; nothing was sent.')
    expect(exitCode).toBe(1)
  })

  test('warnings stand above the question, also with --quiet', async ({environment, home}) => {
    const names = ['1001,3-Jan', '1002,Ferry']
    write(home, 'sites.csv', 'id,name', ...names)

    for (const quiet of ['', '-q ']) {
      const {exitCode, screen} = await onTerminal(`$vendorctl sites update ${quiet}-f sites.csv`, environment, ['\x04'])

      expect(exitCode).toBe(130)
      expect(screen).toMatch(
        /warning: sites\.csv:2:2 name: the spreadsheet made a date of it[\s\S]*Update 2 sites from/,
      )
    }
  })

  test('the first changes and new records stand above the question, d shows all', async ({environment, home}) => {
    write(
      home,
      'sites.csv',
      'id,maxChargePrice',
      ...Array.from({length: 12}, (_, index) => `${1001 + index},77${index}`),
    )
    write(home, 'new.csv', 'machineId,code,message', ...Array.from({length: 12}, (_, index) => `5001,CJ,Jam ${index}`))

    const update = await onTerminal('$vendorctl sites update -f sites.csv', environment, ['d\r', '\r'])
    const create = await onTerminal('$vendorctl alerts create -f new.csv', environment, ['d\r', 'n\r'])

    const [above = '', below = ''] = update.screen.split('Update 12 sites from sites.csv in default?')
    expect(above).toMatch(/account 201\n {2}~ 1001 {2}Ferry Quay +maxChargePrice {2}500 → 770\n/)
    expect(above).toContain('… and 2 more changes (d shows all)\n12 changes in 12 records;')
    expect(above).not.toContain('1012  ')
    expect(update.screen.slice(above.length + below.length)).toMatch(/~ 1012 .* → 7711\n/)
    expect(create.screen).toMatch(/5001 +CJ +Jam 9\n… and 2 more alerts \(d shows all\)[\s\S]*5001 +CJ +Jam 11\n/)
    expect([update.exitCode, create.exitCode]).toEqual([1, 1])
  })

  test('a no to a reset and to a removal says that nothing was done', async ({start}) => {
    const {run, environment} = await start({batches: 20, machines: 300})
    await run(['reports', 'transactions', '--since-last', 'nightly', '--start', '-2d', '--output-file', 'a.ndjson'])
    await run(['alerts', 'clear', '70001', '--yes'])

    const line = '$vendorctl exports reset nightly --to -1d; $vendorctl runs remove latest'
    const {exitCode, screen} = await onTerminal(line, environment, ['n\r', 'n\r'])

    expect(exitCode).toBe(1)
    expect(screen.match(/Cancelled; nothing was \w+\./g)).toEqual([
      'Cancelled; nothing was reset.',
      'Cancelled; nothing was removed.',
    ])
  })

  test('alerts that are named are counted by code and site above the question', async ({start}) => {
    const {environment} = await start({machines: 300})

    const {screen} = await onTerminal('$vendorctl alerts clear --alert 70001,70002,70004', environment, ['n\r'])

    expect(screen).toMatch(
      /code +open alerts +machines +sites\n[\s\S]*2 open alerts at[\s\S]*2 alerts to clear; 1 cleared already\.[\s\S]*Clear 2 alerts in default\?/,
    )
  })

  test.for([['yes please\r'], ['foo\ry\r']])('only y and yes are a yes: %j', async ([typed = ''], {start, home}) => {
    const {environment, sandbox} = await start({machines: 300})
    write(home, 'alerts.csv', 'id,message', '70001,One', '70002,Two')

    const line = '$vendorctl alerts update -f alerts.csv'
    const {exitCode, screen} = await onTerminal(line, environment, [`${typed}\x15\r`])

    expect(exitCode).toBe(1)
    expect(screen).toContain('Type y for yes or n for no, or d to see every change; then Enter.')
    expect(screen.split('\n').filter((text) => text.includes('nothing'))).toEqual(['Cancelled; nothing was sent.'])
    expect(requestsOf(sandbox)['alerts.update']).toBeUndefined()
  })

  test('a terminal that cannot move its cursor edits the line itself', async ({start, home}) => {
    const {environment, sandbox} = await start({machines: 300})
    write(home, 'alerts.csv', 'id,message', '70001,One', '70002,Two')
    const line = 'TERM=dumb $vendorctl alerts update -f alerts.csv'

    const no = await onTerminal(line, environment, ['ja\n', 'x\x7fd\n', 'n\n'])
    const none = await onTerminal(line, environment, ['\x04'])
    const stopped = await onTerminal(line, environment, ['\x03'])
    const sent = requestsOf(sandbox)['alerts.update']
    const yes = await onTerminal(line, environment, ['yx\x7f\n'])

    expect([no.exitCode, none.exitCode, stopped.exitCode, yes.exitCode]).toEqual([1, 130, 130, 0])
    expect(no.screen).toMatch(/Type y for yes or n for no, or d to see every change[\s\S]*70001 [^\n]* One\n/)
    expect(sent).toBeUndefined()
    expect(requestsOf(sandbox)['alerts.update']).toBe(1)
  })

  test('nobody is asked in CI, where a terminal is a log that nobody answers', async ({start}) => {
    const {environment, sandbox} = await start({machines: 300})
    const line = `$vendorctl ${clearCoinJams.join(' ')}`

    const inCi = await onTerminal(line, {...environment, CI: 'true'}, ['y\r'])
    const notInCi = await onTerminal(line, {...environment, CI: 'false'}, ['\x04'])

    expect([inCi.exitCode, notInCi.exitCode]).toEqual([2, 130])
    expect(inCi.screen).toMatch(/the variable CI is set[\s\S]*Add --yes/)
    expect(notInCi.screen).toContain('Stopped at the prompt.\nNothing was changed.\n→ Run the same command again.')
    expect(requestsOf(sandbox)['alerts.clear']).toBeUndefined()
  })
})

test('errors hide no warnings', async ({run, home}) => {
  const file = write(home, 'sites.csv', 'id,name,maxChargePrice', '1001,3-Jan,5', '1002,Ferry,"5,00"')

  const ran = await run(['sites', 'update', '-f', file, '--json'])

  expect(ran.exitCode).toBe(3)
  expect(ran.stderr).toMatch(
    /warning: .*:2:2 name: the spreadsheet made a date[\s\S]*error maxChargePrice: not an integer/,
  )
  expect(JSON.parse(ran.stdout).warnings).toMatchObject([expect.stringContaining('made a date of it')])
})
