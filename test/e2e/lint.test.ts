import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {test} from '../support/binary.js'
import {siteHeader as header, siteLine as row} from '../support/site-lines.js'
import {readWorkbook} from '../support/workbook.js'

describe.concurrent('lint', () => {
  test('names every problem on standard error, as a write does, without profile or network', async ({alone, home}) => {
    const file = join(home.path, 'sites.csv')
    writeFileSync(file, [header, row('A', '"5,00"'), row('CafÃ©'), row('A'), ''].join('\n'))

    const text = await alone(['lint', file, '--operation', 'sites.create'])
    const json = await alone(['lint', file, '--operation', 'sites.create', '--json'])

    expect(text).toMatchObject({exitCode: 3, stdout: ''})
    expect(text.stderr.split('\n').slice(0, 4)).toEqual([
      `${file}:2:5 error maxChargePrice: not an integer: "5,00"; write 5`,
      `${file}:3:3 warning name: text that was read in another encoding, perhaps: "CafÃ©"; write "Café"`,
      `${file}:4:3 error name: the same accountId and name as in line 2`,
      `${file}: 2 errors and 1 warning in 3 rows for sites.create.`,
    ])
    expect(json.exitCode).toBe(3)
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      command: 'lint',
      data: {
        operation: 'sites.create',
        rows: 3,
        errors: 2,
        warnings: 1,
        problems: [{line: 2, column: 5}, {line: 3}, {line: 4}],
      },
      errors: [{code: 'NOT_AN_INTEGER', line: 2, exit: 3, changed: 'none', retry: 'after-fix'}, {line: 4}],
    })
  })

  test('warnings are no failure unless asked', async ({alone}) => {
    const words = ['lint', '-', '--operation', 'sites.create']
    const input = `${header}\n${row("'=1")}\n`

    expect((await alone(words, {input})).exitCode).toBe(0)
    expect((await alone([...words, '--fail-on-warning'], {input})).exitCode).toBe(3)
    expect((await alone([...words, '--fail-on-warning', '--csv-dialect', 'excel'], {input})).exitCode).toBe(0)
  })

  test('--fix writes a copy that the write accepts', async ({run, sandbox, home}) => {
    const file = join(home.path, 'export.csv')
    const out = join(home.path, 'sites.csv')
    const lines = [
      header.replaceAll(',', ';').replace('name', 'Site Name'),
      '="201";101;Café Ålborg;yes; 500 ;10;net10',
    ]
    writeFileSync(file, Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1'))
    const words = ['lint', file, '--operation', 'sites.create', '--map', 'Site Name=name', '--fix', out]

    const refused = await run(words)
    const isWritten = existsSync(out)
    const fixed = await run([...words, '--encoding', 'windows-1252'])
    const again = await run([...words, '--encoding', 'windows-1252'])
    const created = await run(['sites', 'create', '-f', out])

    expect(refused.exitCode).toBe(3)
    expect(refused.stderr).toContain('--encoding windows-1252')
    expect(isWritten).toBe(false)
    expect(fixed).toMatchObject({exitCode: 0, stdout: ''})
    expect(fixed.stderr).toContain('fixed: isActive: word for true or false')
    expect(readFileSync(out, 'utf8')).toBe(`${header}\n201,101,Café Ålborg,true,500,10,Net10\n`)
    expect(again.exitCode).toBe(2)
    expect(created.exitCode).toBe(0)
    expect(sandbox.store.read('site').at(-1)).toMatchObject({name: 'Café Ålborg', commissionTerms: 'Net10'})
  })
})

test.concurrent('lint writes neither a copy nor a report over the file that it reads', async ({alone, home}) => {
  const file = join(home.path, 'same.xlsx')
  writeFileSync(file, [header, row('A'), ''].join('\n'))
  const before = readFileSync(file)

  for (const flag of ['--fix', '--report']) {
    const ran = await alone(['lint', file, '--operation', 'sites.create', flag, file, '--overwrite'])

    expect(ran).toMatchObject({exitCode: 2, stderr: expect.stringContaining(`FILE and ${flag} are the same file`)})
  }

  expect(readFileSync(file)).toEqual(before)
})

describe.concurrent('lint --report', () => {
  test('writes a workbook beside the messages and exits as without it', async ({alone, home}) => {
    const file = join(home.path, 'sites.csv')
    const out = join(home.path, 'sites.xlsx')
    writeFileSync(file, [header, row('A', '"5,00"'), row('B'), ''].join('\n'))
    const words = ['lint', file, '--operation', 'sites.create', '--report', out]

    const written = await alone(words)
    const again = await alone(words)
    const replaced = await alone([...words, '--overwrite', '--json'])

    expect(written).toMatchObject({exitCode: 3, stdout: ''})
    expect(written.stderr).toContain(`Wrote ${out}: 2 rows, 1 with problems.`)
    expect(written.stderr).toContain(`${file}:2:5 error maxChargePrice: not an integer: "5,00"`)
    const [head, first, second] = readWorkbook(out)[0]?.rows ?? []
    expect(head?.[0]?.text).toBe('_problem')
    expect(first?.[0]?.text).toContain('maxChargePrice: not an integer: "5,00"')
    expect(first?.[5]).toMatchObject({text: '5,00', fill: 'FFFFC7CE'})
    expect(second?.[0]).toBeUndefined()
    expect(again).toMatchObject({exitCode: 2})
    expect(again.stderr).toContain('--overwrite')
    expect(replaced.exitCode).toBe(3)
  })

  test('shows what keeps --fix from writing a copy', async ({alone, home}) => {
    const [file, copy, out] = ['sites.csv', 'copy.xlsx', 'report.xlsx'].map((name) => join(home.path, name)) as [
      ...[string, string, string],
    ]
    writeFileSync(file, [header, row('A'), '201,101', ''].join('\n'))

    const ran = await alone(['lint', file, '--operation', 'sites.create', '--fix', copy, '--report', out])

    expect(ran).toMatchObject({exitCode: 3, stderr: expect.stringContaining('line 3 cannot be fixed automatically')})
    expect(readWorkbook(out)[0]?.rows[2]?.[0]?.text).toContain('2 cells, but the header names')
  })
})

describe.concurrent('a file that is not as the contract has it', () => {
  test('is sent with flags that say how to read it', async ({run, sandbox, home}) => {
    const file = join(home.path, 'sites.txt')
    const map = join(home.path, 'map.txt')
    const columns = header.replace('name', 'Site Name').replace('orgId', 'Org').replaceAll(',', '|')
    writeFileSync(
      file,
      Buffer.from(`${columns}|colour|timeZone\r${row('Mühle').replaceAll(',', '|')}|red|\r`, 'utf16le').swap16(),
    )
    writeFileSync(map, 'Site Name=name\nOrg=orgId\n')
    const words = ['sites', 'create', '-f', file, '--input-format', 'csv', '--encoding', 'utf-16be', '--delimiter', '|']

    const ran = await run([...words, '--map-file', map, '--unknown-columns', 'ignore', '--empty', 'null'])

    expect(ran.exitCode).toBe(0)
    expect(sandbox.store.read('site').at(-1)).toMatchObject({name: 'Mühle', orgId: 101, timeZone: null})
  })
})
