import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {type Home, patience, requestsOf, test} from '../support/binary.js'
import {siteHeader as header, siteLine as row, siteFile as sites} from '../support/site-lines.js'
import {readWorkbook} from '../support/workbook.js'

const taken = 'Ferry Quay'
const refused = 'NAME_UNIQUENESS,A site with this name already exists in its account.'
const reasons = [refused.slice(0, refused.indexOf(',')), refused.slice(refused.indexOf(',') + 1)]
const behind = '_line,_code,_message'
const toJson = (text: string) => (/^\d+$|^true$/.test(text) ? JSON.parse(text) : text)

function writeInput({path}: Home, content: string | Buffer, name = 'sites.csv'): string {
  const file = join(path, name)
  writeFileSync(file, content)
  return file
}

const create = (file: string, ...words: string[]) => ['sites', 'create', '-f', file, ...words]
const read = (home: Home, name: string) => readFileSync(join(home.path, name), 'utf8')

describe.concurrent('--on-error', () => {
  test('quarantine sends the blameless rows again, and mended rejects go back in', async ({run, sandbox, home}) => {
    const before = sandbox.store.count('site')
    const file = writeInput(home, sites('One', taken, '"Two, ""2""\nback"', 'Three'))

    const first = await run(create(file, '--set-size', '3', '--on-error', 'quarantine'))
    const rejects = read(home, 'sites.rejects.csv')
    const again = writeInput(home, rejects.replace(taken, 'Quay of ferries'), 'mended.csv')
    const second = await run(create(again))

    expect(first).toMatchObject({exitCode: 6, stdout: ''})
    expect(first.stderr).toContain('applied 3 · refused 1 · rolledBack 0 · inDoubt 0 · unsent 0')
    expect(first.stderr).toContain(`${join(home.path, 'sites.rejects.csv')}: 1 row. Fix the refused rows in it`)
    expect(rejects).toBe(`${header},${behind}\n${row(taken)},3,${refused}\n`)
    expect(second.exitCode).toBe(0)
    expect(sandbox.store.count('site')).toBe(before + 4)
    expect(requestsOf(sandbox)).toEqual({'auth.login': 1, 'sites.create': 4, 'sites.list': 2})
  })

  test('stop names the command that sends the correct rows', async ({run, sandbox, home}) => {
    const before = sandbox.store.count('site')
    const file = writeInput(home, sites('One', taken, 'Two'))

    const first = await run(create(file))
    const [, words = ''] =
      /2 of 3 rows are correct; to send without the others: vendorctl (sites create .*)/.exec(first.stderr) ?? []
    const second = await run(words.split(' '))

    expect(first.exitCode).toBe(5)
    expect(second.exitCode).toBe(6)
    expect(second.stderr).not.toContain('are correct')
    expect(sandbox.store.count('site')).toBe(before + 2)
  })

  test('a doubt stops a quarantine, and rows in doubt are in no rejects file', async ({start, home}) => {
    const {run, sandbox} = await start({faults: ['reset-after-commit@sites.create#2']})
    const file = writeInput(home, sites('One', 'Two', 'Three'))

    const ran = await run(create(file, '--set-size', '1', '--on-error', 'quarantine'))

    expect(ran.exitCode).toBe(7)
    expect(ran.stderr).toMatch(/sites\.csv:3 · IN_DOUBT · set 2 of 3 \(1 row, line 3\): in doubt: the connection broke/)
    expect(ran.stderr).toMatch(/not sent: 1 row, \S*sites\.csv:4: the run had stopped/)
    expect(read(home, 'sites.rejects.csv')).toBe(
      `${header},${behind}\n${row('Three')},4,NOT_SENT,the run had stopped\n`,
    )
    expect(requestsOf(sandbox)['sites.create']).toBe(2)
  })

  test('a canary that is refused keeps the rest back', async ({run, sandbox, home}) => {
    const file = writeInput(home, sites(taken, 'Two', 'Three'))

    const ran = await run(create(file, '--canary', '1', '--on-error', 'quarantine'))

    expect(ran.exitCode).toBe(5)
    expect(ran.stderr).toContain('the canary was not applied')
    expect(ran.stderr).not.toContain('runs resume')
    expect(requestsOf(sandbox)['sites.create']).toBe(1)

    const listed = await run(['runs', 'list', '--json'])
    const shown = await run(['runs', 'show', 'latest'])
    const told = await run(['runs', 'show', 'latest', '--json'])
    const resumed = await run(['runs', 'resume', 'latest'])

    for (const {stdout} of [listed, told]) {
      expect(stdout).toContain('Fix its first rows (--canary), which were refused')
      expect(stdout).not.toContain('runs resume')
    }
    expect(shown.stdout).toContain('runs resume sends none of the others')
    expect(shown.stdout).not.toContain('It sends the sets that were not sent')
    expect(resumed.exitCode).toBe(5)
    expect(resumed.stderr).toContain('the canary was not applied')
    expect(resumed.stderr).not.toContain('Send what is left')
  })

  test('a canary that was not sent can be gone on with', async ({run, home}) => {
    const words = create(writeInput(home, sites('One', 'Two', 'Three')), '--canary', '1', '--max-requests', '2')

    const ran = await run(words)

    expect(ran.exitCode).toBe(8)
    expect(ran.stderr).toContain('→ Raise --max-requests.\n→ Send what is left: vendorctl runs resume')
  })

  test.for([
    ['--atomic', '--canary', '1'],
    ['--atomic', '--on-error', 'quarantine'],
    ['--on-error', 'ignore'],
  ])('%j is a mistake', async (words, {run, sandbox, home}) => {
    const ran = await run(create(writeInput(home, sites('One')), ...words))

    expect(ran).toMatchObject({exitCode: 2, stdout: ''})
    expect(requestsOf(sandbox)).toEqual({})
  })
})

describe.concurrent('the rejects file', () => {
  test('holds what the input holds: byte order mark, delimiter, quotes, empty texts', async ({run, home}) => {
    const columns =
      'Name;org id;accountId;isActive;maxChargePrice;maximumMeterSalesJumpAllowed;commissionTerms;billingAddress; _code;_note'
    const cells = '"Ferry Quay";101;201;TRUE;0500;10;Net10;"";OLD;" a;b "'
    const file = writeInput(home, `\ufeffsep=;\r\n${columns}\r\n\r\n${cells}\r\n`)

    const ran = await run(create(file))

    expect(ran.exitCode).toBe(5)
    expect(read(home, 'sites.rejects.csv')).toBe(
      `\ufeff${columns.replace(' _code;', '')};_line;_code;_message\n` +
        `Ferry Quay;101;201;TRUE;0500;10;Net10;"";" a;b ";4;${refused.replace(',', ';')}\n`,
    )
  })

  test('of a file in another encoding says that it is UTF-8 itself', async ({run, sandbox, home}) => {
    const file = writeInput(home, Buffer.from(sites('Caf\u00e9 1', taken), 'latin1'))

    await run(create(file, '--encoding', 'windows-1252'))
    const again = writeInput(home, read(home, 'sites.rejects.csv').replace(taken, 'Bj\u00f6rk'), 'again.csv')
    const ran = await run(create(again, '--encoding', 'windows-1252'))

    expect(ran.exitCode).toBe(0)
    expect(
      sandbox.store
        .read('site')
        .slice(-2)
        .map(({name}) => name),
    ).toEqual(['Caf\u00e9 1', 'Bj\u00f6rk'])
  })

  test('of JSON is one record a line, digit for digit', async ({run, sandbox, home}) => {
    const record =
      '"orgId":101,"name":"Ferry Quay","isActive":true,"maxChargePrice":9007199254740993,"maximumMeterSalesJumpAllowed":10,"commissionTerms":"Net10"'
    const file = writeInput(
      home,
      `[{"accountId":201,${record}},{"accountId":201,${record.replace(taken, 'Other')}}]`,
      'sites.json',
    )

    const first = await run(create(file, '--set-size', '1', '--on-error', 'quarantine'))
    const lines = read(home, 'sites.rejects.ndjson')
    const second = await run(create(writeInput(home, lines.replace(taken, 'Third'), 'mended.ndjson')))

    expect(first.exitCode).toBe(6)
    expect(lines).toBe(
      `{"accountId":201,${record},"_line":1,"_code":"NAME_UNIQUENESS","_message":"A site with this name already exists in its account."}\n`,
    )
    expect(second.exitCode).toBe(0)
    expect(sandbox.store.read('site').at(-1)).toMatchObject({name: 'Third'})
  })

  test('of standard input stands in the working folder', async ({run, home}) => {
    const ran = await run(create('-', '--input-format', 'csv', '--yes'), {input: sites(taken)})

    expect(ran.exitCode).toBe(5)
    expect(read(home, 'stdin.rejects.csv')).toBe(`${header},${behind}\n${row(taken)},2,${refused}\n`)
  })

  test.for(['status(403,empty)', 'status(404,empty)', 'redirect(http://127.0.0.1:1/)'])(
    'blames no row for a refusal of everything: %s',
    async (fault, {start, home}) => {
      const {run} = await start({faults: [`${fault}@sites.create`]})

      const ran = await run(create(writeInput(home, sites('New', 'Other'))))

      expect(ran.stderr).toContain('2 rows. No row is at fault: send this file when the service permits it: vendorctl')
    },
  )

  test('replaces that of an earlier run, and nothing else', async ({run, home}) => {
    const file = writeInput(home, sites(taken))
    const mine = join(home.path, 'sites.rejects.csv')

    await run(create(file))
    const replaced = await run(create(file))
    writeFileSync(mine, 'my,own\n1,2\n')
    const kept = await run(create(file))

    expect(replaced.stderr).toContain('1 row. Fix the refused rows in it, then send this file: vendorctl')
    expect(kept).toMatchObject({exitCode: 5})
    expect(kept.stderr).toContain(`${mine} is kept, because it was changed or not written by vendorctl`)
    expect(readFileSync(mine, 'utf8')).toBe('my,own\n1,2\n')
    expect(read(home, 'sites.rejects-2.csv')).toBe(`${header},${behind}\n${row(taken)},2,${refused}\n`)
  })

  test('of a rejects file has the next number', async ({run, home}) => {
    const names = ['sites.csv', 'sites.rejects.csv', 'sites.rejects-2.csv', 'sites.rejects-3.csv']
    writeInput(home, sites(taken))
    writeFileSync(join(home.path, names[3] ?? ''), 'my,own\n1,2\n')

    const notes: string[] = []
    for (const name of names.slice(0, 3)) notes.push((await run(create(join(home.path, name)))).stderr)

    for (const [place, name] of ['sites.rejects.csv', 'sites.rejects-2.csv', 'sites.rejects-4.csv'].entries())
      expect(notes[place]).toContain(`${join(home.path, name)}: 1 row. Fix the refused rows in it`)
    expect(read(home, 'sites.rejects-3.csv')).toBe('my,own\n1,2\n')
    expect(readdirSync(home.path).filter((name) => name.includes('rejects.rejects'))).toEqual([])
  })

  test('of a workbook is a workbook that goes straight back in', async ({run, home}) => {
    const book = join(home.path, 'sites.xlsx')
    await run(['lint', writeInput(home, sites('One', taken)), '--operation', 'sites.create', '--fix', book])

    const first = await run(create(book, '--yes', '--set-size', '1'))
    const second = await run(create(join(home.path, 'sites.rejects.xlsx')))

    const [written, again] = ['sites.rejects.xlsx', 'sites.rejects-2.xlsx'].map((name) => {
      const [sheet] = readWorkbook(join(home.path, name))
      return sheet?.rows.map((row) => row.map((cell) => cell?.text))
    })
    expect(first.stderr).toContain('sites.rejects.xlsx: 1 row. Fix the refused rows in it')
    expect(written).toEqual([`${header},${behind}`.split(','), [...row(taken).split(','), '3', ...reasons]])
    expect(second.stderr).toContain('sites.rejects-2.xlsx: 1 row. Fix the refused rows in it')
    expect(again).toEqual([`${header},${behind}`.split(','), [...row(taken).split(','), '2', ...reasons]])
  })

  test('may be a workbook of the rows of any file, and so may results', async ({run, home}) => {
    const names = header.split(',')
    const record = Object.fromEntries(
      row(taken)
        .split(',')
        .map((text, place) => [names[place], toJson(text)]),
    )
    const file = writeInput(home, `${JSON.stringify(record)}\n`, 'sites.ndjson')
    const paths = ['rejects', 'results'].map((name) => join(home.path, `${name}.xlsx`))

    const ran = await run(create(file, '--rejects', paths[0] ?? '', '--results', paths[1] ?? ''))

    expect(ran.exitCode).toBe(5)
    const [rejects, results] = paths.map((path) =>
      readWorkbook(path)[0]?.rows.map((cells) => cells.map((cell) => cell?.text)),
    )
    expect(rejects).toEqual([
      [...names, ...behind.split(',')],
      [...row(taken).split(','), '1', ...reasons],
    ])
    expect(results?.[1]?.slice(names.length)).toEqual(['refused', undefined, ...reasons])
  })

  test('is said to be impossible when the input changes meanwhile', async ({start, home}) => {
    const {begin, sandbox} = await start({faults: ['drip(150)@sites.create#1']})
    const file = writeInput(home, sites('One', taken))
    const running = begin(create(file, '--set-size', '1'))
    await expect.poll(() => sandbox.faults.list()[0]?.fired, patience).toBe(1)
    writeFileSync(file, sites('Won', taken))

    const ran = await running.ended

    expect(ran.exitCode).toBe(6)
    expect(ran.stderr).toContain('was changed while its rows were sent')
    expect(existsSync(join(home.path, 'sites.rejects.csv'))).toBe(false)
  })
})

describe.concurrent('without an input file', () => {
  test('no rejects file is left about, and one that is asked for names the ids', async ({run, home}) => {
    const ids = ['999998', '999999']
    const clear = ['alerts', 'clear', '--alert', ids.join()]

    const plain = await run(clear)
    const asked = await run([...clear, '--rejects', 'again.csv'])

    expect([plain.exitCode, asked.exitCode]).toEqual([5, 5])
    expect(readdirSync(home.path).filter((name) => name.includes('reject'))).toEqual([])
    expect(
      read(home, 'again.csv')
        .split('\n')
        .map((line) => line.split(',')[0]),
    ).toEqual(['id', ...ids, ''])
  })
})

describe.concurrent('--results', () => {
  test('every row with its fate, also when the run ended badly', async ({run, sandbox, home}) => {
    const first = sandbox.store.nextId('site')
    const file = writeInput(home, sites('One', 'Two', taken, 'Four', 'Five'))

    await run(create(file, '--set-size', '2', '--results', join(home.path, 'results.csv')))

    expect(read(home, 'results.csv').split('\n')).toEqual([
      `${header},_fate,_id,_code,_message`,
      `${row('One')},applied,${first},,`,
      `${row('Two')},applied,${first + 1},,`,
      `${row(taken)},refused,,${refused}`,
      `${row('Four')},rolledBack,,ROLLED_BACK,"correct, but rolled back with its set, which was refused: NAME_UNIQUENESS"`,
      `${row('Five')},unsent,,NOT_SENT,the run had stopped`,
      '',
    ])
  })

  test('a full disk is said, and hides nothing that is graver', async ({start, home}) => {
    const {run, sandbox} = await start({faults: ['reset-before@sites.create#2']})

    const fine = await run(create(writeInput(home, sites('One')), '--results', '/dev/full', '--json'))
    const doubt = await run(create(writeInput(home, sites('Two')), '--results', '/dev/full', '--json'))

    expect(fine.exitCode).toBe(12)
    expect(fine.stderr).toContain('applied 1 · refused 0')
    expect(fine.stderr).toContain('the disk is full')
    expect(JSON.parse(fine.stdout)).toMatchObject({
      ok: false,
      meta: {rows: {applied: 1}},
      errors: [{exit: 12, changed: 'some'}],
    })
    expect(doubt.exitCode).toBe(7)
    expect(requestsOf(sandbox)['sites.create']).toBe(2)
  })

  test('nothing is sent when it cannot be written, or would go over something', async ({run, sandbox, home}) => {
    const file = writeInput(home, sites('One'))
    const existing = writeInput(home, 'mine', 'mine.csv')

    const runs = await Promise.all([
      run(create(file, '--results', join(home.path, 'nowhere', 'r.csv'))),
      run(create(file, '--results', existing)),
      run(create(file, '--rejects', existing)),
      run(create(file, '--annotations', existing)),
      run(create(file, '--results', file, '--overwrite')),
      run(create(file, '--results', join(home.path, 'x.csv'), '--rejects', join(home.path, '.', 'x.csv'))),
      run(create(file, '--results', '-')),
    ])

    expect(runs.map(({exitCode}) => exitCode)).toEqual([12, 2, 2, 2, 2, 2, 2])
    expect(requestsOf(sandbox)).toEqual({})
    expect([read(home, 'mine.csv'), read(home, 'sites.csv')]).toEqual(['mine', sites('One')])
  })

  test('an asked-for rejects file is there also when nothing was rejected', async ({run, home}) => {
    const path = join(home.path, 'bad.csv')

    const ran = await run(create(writeInput(home, sites('One')), '--rejects', path))

    expect(ran.exitCode).toBe(0)
    expect(ran.stderr).toContain(`${path}: 0 rows to send again\n`)
    expect(readFileSync(path, 'utf8')).toBe(`${header},${behind}\n`)
  })
})

describe.concurrent('annotations', () => {
  test('GitLab reads them from a Code Quality report, which is empty when all is well', async ({run, home}) => {
    const path = (name: string) => join(home.path, name)
    const environment = {GITLAB_CI: 'true', CI_PROJECT_DIR: home.path}
    const file = writeInput(home, sites('One', taken))

    const refusal = await run(create(file, '--annotations', path('one.json')), {environment})
    const problem = await run(create(writeInput(home, sites(''), 'bad.csv'), '--annotations', path('two.json')), {
      environment,
    })
    const fine = await run(create(writeInput(home, sites('Fine'), 'ok.csv'), '--annotations', path('three.json')), {
      environment,
    })

    expect([refusal.exitCode, problem.exitCode, fine.exitCode]).toEqual([5, 3, 0])
    expect(JSON.parse(read(home, 'one.json'))).toEqual([
      {
        description: 'A site with this name already exists in its account.',
        check_name: 'NAME_UNIQUENESS',
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        severity: 'major',
        location: {path: 'sites.csv', lines: {begin: 3}},
      },
    ])
    expect(JSON.parse(read(home, 'two.json'))).toMatchObject([
      {check_name: 'MISSING_VALUE', location: {path: 'bad.csv', lines: {begin: 2}}},
    ])
    expect(JSON.parse(read(home, 'three.json'))).toEqual([])
    expect(refusal.stderr).not.toContain('::error')
  })
})
