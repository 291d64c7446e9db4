import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import type {Sandbox} from '../../src/sandbox/server.js'
import {requestsOf, test} from '../support/binary.js'
import {makeWorkbook, number, row, text} from '../support/make-workbook.js'

const site = ({store}: Sandbox, id: number) => store.find('site', id) ?? {}
const cover = {name: 'Cover', rows: row(1, [text('A1', 'Prices of July')])}

/** A workbook whose second sheet changes prices of sites; its header is in row `top`. */
async function write(
  home: {path: string},
  name: string,
  prices: readonly (readonly [number, string])[],
  {top = 1, field = 'maxChargePrice'} = {},
) {
  const title = top === 1 ? '' : row(1, [text('A1', 'Prices')])
  const header = row(
    top,
    [text('A1', 'id'), text('B1', field)].map((cell) => cell.replace(/1"/, `${top}"`)),
  )
  const rows = prices.map(([id, price], place) => {
    const line = top + 1 + place
    return row(line, [number(`A${line}`, id), price.replace('#', `B${line}`)])
  })
  const path = join(home.path, name)
  writeFileSync(path, await makeWorkbook({sheets: [cover, {name: 'Sites', rows: title + header + rows.join('')}]}))
  return path
}

const price = (value: number) => number('#', value)

describe.concurrent('a workbook', () => {
  test('is written as a table of text is, and its rejects are copied', async ({run, home}) => {
    const file = await write(
      home,
      'keys.xlsx',
      [
        [1001, number('#', 301)],
        [1002, number('#', 999_999)],
      ],
      {field: 'chargeKeyId'},
    )

    const rejects = join(home.path, 'rejects.csv')
    const ran = await run(['sites', 'update', '-f', file, '--yes', '--on-error', 'quarantine', '--rejects', rejects])
    const results = await run(['runs', 'results', 'latest', '-o', 'csv'])

    expect(ran.exitCode).toBe(6)
    expect(ran.stderr).toContain(`${file}!Sites:3:`)
    expect(readFileSync(rejects, 'utf8')).toBe(
      '\ufeffid,chargeKeyId,_line,_code,_message\n1002,999999,3,MISSING_RECORD,Charge key does not exist.\n',
    )
    expect(results.stdout).toContain('id,chargeKeyId,_line,_fate')
  })

  test('comes from standard input, too, and its plan names the sheet and the header', async ({run, sandbox, home}) => {
    const file = await write(home, 'prices.xlsx', [[1001, price(777)]], {top: 3})
    const plan = join(home.path, 'plan.json')

    const refused = await run(['sites', 'update', '-f', file, '--dry-run'])
    const planned = await run(['sites', 'update', '-f', file, '--header-row', '3', '--dry-run', '--plan-out', plan])
    const applied = await run(['sites', 'update', '--apply-plan', plan])
    const piped = await run(['sites', 'update', '--header-row', '3', '-f', '-'], {input: readFileSync(file)})

    expect(refused).toMatchObject({exitCode: 3, stderr: expect.stringContaining('--header-row 3')})
    expect(planned.exitCode).toBe(0)
    expect(JSON.parse(readFileSync(plan, 'utf8')).input).toMatchObject({format: 'xlsx', sheet: 'Sites', headerRow: 3})
    expect(applied).toMatchObject({exitCode: 0, stderr: expect.stringContaining('applied 1')})
    expect(piped).toMatchObject({exitCode: 0, stderr: expect.stringContaining('nothing to do')})
    expect(site(sandbox, 1001)['maxChargePrice']).toBe(777)
    expect(requestsOf(sandbox)['sites.update']).toBe(1)
  })

  test('of which a copy is proposed also where only the current records tell what is wrong', async ({run, home}) => {
    const file = await write(home, 'prices.xlsx', [[1001, '<c r="#" t="inlineStr"><is><t>5,00</t></is></c>']])

    const dry = await run(['sites', 'update', '-f', file, '--dry-run'])
    const sent = await run(['sites', 'update', '-f', file, '--yes'])

    expect([dry.exitCode, sent.exitCode]).toEqual([3, 3])
    for (const {stderr} of [dry, sent])
      expect(stderr).toContain(
        `→ Fix 1 of 1 problem in a copy: vendorctl lint ${file} --operation sites.update --fix prices.fixed.xlsx`,
      )
  })

  test('is checked cell by cell, under the names of the spreadsheet', async ({run, home}) => {
    const file = await write(home, 'prices.csv', [
      [1001, '<c r="#" t="e"><v>#REF!</v></c>'],
      [1002, '<c r="#"><f>1+1</f></c>'],
      [1003, price(0.5)],
    ])

    const ran = await run(['lint', file, '--operation', 'sites.update'])
    const json = await run(['lint', file, '--operation', 'sites.update', '--json'])

    const fixed = join(home.path, 'fixed.csv')
    const fix = await run(['lint', file, '--operation', 'sites.update', '--fix', fixed])

    expect(fix).toMatchObject({exitCode: 3, stderr: expect.stringContaining('#REF!: correct this cell first')})
    expect(existsSync(fixed)).toBe(false)
    expect(ran.exitCode).toBe(3)
    expect(ran.stderr).toContain(`${file}!Sites:2:B error maxChargePrice: an error of the spreadsheet: #REF!`)
    expect(ran.stderr).toContain(`${file}!Sites:3:B error maxChargePrice: a formula without a calculated value`)
    expect(ran.stderr).toContain(`${file}!Sites:4:B error maxChargePrice: not an integer: "0.5"`)
    expect(ran.stderr).toContain(`${file} is a workbook; it was read as xlsx`)
    expect(JSON.parse(json.stdout).errors[0]).toMatchObject({
      file,
      sheet: 'Sites',
      line: 2,
      column: 2,
      code: 'UNREADABLE_CELL',
    })
  })
})
