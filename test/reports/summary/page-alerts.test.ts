import {describe, expect, test} from 'vitest'
import {CliFailure} from '../../../src/core/errors.js'
import {type AlertReader, findAlerts} from '../../../src/reports/summary/page-context.js'
import type {JsonRecord} from '../../../src/values/json.js'

const alert = (given: JsonRecord): JsonRecord => ({
  code: 'NS',
  machineId: 5,
  isCleared: false,
  raisedAt: '2024-07-02T00:00:00',
  ...given,
})

function clientOf(answers: Partial<Record<string, JsonRecord[] | CliFailure>>) {
  const asked: string[] = []
  const readPages: AlertReader['readPages'] = async function* (id) {
    asked.push(id)
    const answer = answers[id] ?? []
    if (answer instanceof CliFailure) throw answer
    yield {records: answer, served: {start: '2024-05-01T00:00:00'}}
  }
  return {asked, readPages}
}

const find = (client: ReturnType<typeof clientOf>, filters = {}) => findAlerts(client, filters)
const failure = (exit: 'unavailable' | 'interrupted') => new CliFailure('no answer', {code: 'UNEXPECTED', exit})

describe('open alerts of a page', () => {
  test('are counted by code, with what it means, the oldest and how many machines', async () => {
    const client = clientOf({
      'alerts.list': [
        alert({}),
        alert({raisedAt: '2024-07-01T00:00:00'}),
        alert({machineId: 6}),
        alert({isCleared: true}),
        alert({code: 'X9', raisedAt: null}),
      ],
      'alerts.codes': [{code: 'NS', description: 'No sales'}],
    })

    expect(await find(client)).toEqual({
      notes: [],
      alerts: {
        raisedFrom: '2024-05-01T00:00:00',
        codes: [
          {code: 'NS', meaning: 'No sales', open: 3, machines: 2, oldest: '2024-07-01T00:00:00'},
          {code: 'X9', meaning: null, open: 1, machines: 1, oldest: null},
        ],
      },
    })
  })

  test('that are none ask for no codes', async () => {
    const client = clientOf({})

    expect((await find(client)).alerts?.codes).toEqual([])
    expect(client.asked).toEqual(['alerts.list'])
  })

  test('that cannot be read are a note, and a command that was stopped ends', async () => {
    const broken = clientOf({'alerts.list': failure('unavailable')})
    const stopped = clientOf({'alerts.list': failure('interrupted')})

    expect(await find(broken)).toEqual({notes: ['Open alerts are not shown: no answer']})
    await expect(find(stopped)).rejects.toMatchObject({exit: 'interrupted'})
  })

  test('that cannot be narrowed like the report are not shown', async () => {
    const client = clientOf({})

    expect(await find(client, {accountIds: [1]})).toEqual({
      notes: ['Open alerts are not shown: they cannot be narrowed by --account.'],
    })
    expect(client.asked).toEqual([])
  })
})
