import {describe, expect} from 'vitest'
import {requestsOf, test, writeLines as write} from '../support/binary.js'

const update = ['selections', 'update']

describe.concurrent('selections update', () => {
  test('finds selections by machine and number, machines by PROSE, with sums by site', async ({run, sandbox, home}) => {
    const [machine] = sandbox.store.read('machine')
    const [first] = sandbox.store.read('selection')
    const file = write(
      home,
      'prices.csv',
      'prose,selectionNumber',
      `${machine?.['prose']},${first?.['selectionNumber']}`,
    )
    const words = [...update, '-f', file, '--match', 'machineId,selectionNumber', '--lookup', 'machineId=prose']

    const planned = await run([...words, '--set', 'price=9.99', '--dry-run', '--json'])
    const sent = await run([...words, '--set', 'price=9.99', '--json'])

    expect(planned.exitCode).toBe(0)
    expect(JSON.parse(planned.stdout)).toMatchObject({
      data: {changes: [{field: 'price', to: 9.99}], totals: [{records: 1, after: '9.99'}]},
    })
    expect(sent.exitCode).toBe(0)
    expect(JSON.parse(sent.stdout)).toMatchObject({
      data: {live: {fields: ['count'], records: 1}, pickUp: {machines: 1, waiting: 1}},
    })
    expect(sandbox.store.find('selection', Number(first?.['id']))).toEqual({...first, price: 9.99})
    expect(requestsOf(sandbox)).toMatchObject({'auth.login': 1, 'selections.update': 1, 'sites.list': 1})
  })

  test('raises prices once, however often it is run', async ({run, sandbox, home}) => {
    const some = sandbox.store.read('selection').slice(0, 3)
    const file = write(home, 'some.csv', 'id', ...some.map(({id}) => String(id)))
    const words = [...update, '-f', file, '--change', 'price=+5%', '--round', '0.05', '--set-size', '1', '--yes']
    sandbox.faults.set(['reset-after-commit@selections.update#2'])

    const doubted = await run(words)
    sandbox.faults.clear()
    const raised = await run(words)
    const prices = sandbox.store.read('selection').slice(0, 3)
    const again = await run(words)

    expect(doubted.exitCode).toBe(7)
    expect(raised.exitCode).toBe(0)
    expect(raised.stderr).toContain('applied by run')
    for (const [place, {price}] of prices.entries()) {
      const [now, before] = [price, some[place]?.['price']].map((value) => Number(JSON.stringify(value)))
      expect(now).toBeCloseTo(Math.round(((before ?? 0) * 1.05) / 0.05) * 0.05, 9)
    }
    expect(again.exitCode).toBe(3)
    expect(again.stderr).toContain('--fresh')
    expect(sandbox.store.read('selection').slice(0, 3)).toEqual(prices)
  })
})

describe.concurrent('machines update', () => {
  test('names both sites of a machine that moves, and refuses a site of others', async ({run, sandbox, home}) => {
    const [machine] = sandbox.store.read('machine')
    const sites = sandbox.store.read('site').filter(({id}) => id !== machine?.['siteId'])
    const own = sites.find(({orgId}) => orgId === machine?.['organizationId'])
    const other = sites.find(({orgId}) => orgId !== machine?.['organizationId'])
    const move = (name: string, site: typeof own) =>
      run(['machines', 'update', '-f', write(home, name, 'id,siteId', `${machine?.['id']},${site?.['id']}`)])

    const refused = await move('other.csv', other)
    const moved = await move('own.csv', own)
    const undone = await run(['runs', 'undo', 'latest', '--yes'])

    expect(refused.exitCode).toBe(3)
    expect(refused.stderr).toContain(`is of organization ${other?.['orgId']}`)
    expect(moved.exitCode).toBe(0)
    expect(moved.stderr).toContain(`machine ${machine?.['id']} moves from site ${machine?.['siteId']}`)
    expect(moved.stderr).toContain(`to site ${own?.['id']}`)
    expect(undone.exitCode).toBe(0)
    expect(sandbox.store.find('machine', Number(machine?.['id']))).toMatchObject({siteId: machine?.['siteId']})
  })
})
