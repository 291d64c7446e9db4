import {describe, expect} from 'vitest'
import {type Home, requestsOf, test, writeLines} from '../support/binary.js'
import {siteHeader as header, siteLine as row} from '../support/site-lines.js'

const writeSites = (home: Home, ...rows: string[]) => writeLines(home, 'sites.csv', header, ...rows)

const create = (file: string, ...words: string[]) => ['sites', 'create', '-f', file, ...words]

describe.concurrent('sites create', () => {
  test('names every problem of a file and sends nothing', async ({run, sandbox, home}) => {
    const file = writeSites(home, row('One'), row('', '5.5'), row('Three'), row('Four', 'x').replace('Net10', 'Net11'))

    const ran = await run(create(file))
    const json = await run(create(file, '--json'))

    expect(ran).toMatchObject({exitCode: 3, stdout: ''})
    for (const place of ['sites.csv:3:3', 'sites.csv:3:5', 'sites.csv:5:7']) {
      expect(ran.stderr).toContain(`${place} error`)
    }
    expect(ran.stderr).toContain('(2 cells: line 3; "x" in line 5)')
    expect(ran.stderr).toContain('nothing was sent.')
    expect(ran.stderr).not.toContain('Nothing was changed.')
    expect(json.exitCode).toBe(3)
    expect(JSON.parse(json.stdout).errors).toHaveLength(4)
    expect(requestsOf(sandbox)).toEqual({})
  })
})
