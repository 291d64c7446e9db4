import {expect, test} from 'vitest'
import type {Client, Page} from '../../../src/client/types.js'
import {useRecordedRun} from './recorded-run.js'
import {type RouteName, routeOf} from './routes.js'

const run = useRecordedRun()

/** A service that lists ids as texts, and takes them so. */
function withTextIds(client: Client): Client {
  const made: Client = Object.create(client)
  made.readPages = async function* (id, request) {
    for await (const page of client.readPages(id, request)) {
      const records = Array.from(page.records, (record) => ({...record, id: String(record['id'])}))
      yield Object.create(page, {records: {value: records}}) as Page
    }
  }
  made.write = (id, sent, how = {}) => {
    const {body} = how
    return client.write(
      id,
      sent,
      body === undefined ? how : {...how, body: body.replaceAll(/"id":"(\d+)"/g, '"id":$1')},
    )
  }
  return made
}

test.each<[RouteName, string]>([
  ['sites.update', 'reset-before'],
  ['sites.update', 'reset-after-commit'],
  ['sites.update --replace', 'reset-after-commit'],
  ['machines.update', 'reset-before'],
  ['machines.update', 'reset-after-commit'],
  ['selections.update', 'reset-before'],
  ['selections.update', 'reset-after-commit'],
  ['role-rights.update, which deletes one', 'reset-after-commit'],
  ['machines.settings.set', 'reset-before'],
])('%s, %s: records whose ids are texts are found again', async (name, fault) => {
  const {operation, lines, options, applied} = routeOf(name)
  const file = await lines(run)
  const client = withTextIds(run.client)
  run.sandbox.faults.set([`${fault}@${operation}#1`])
  await run.run(operation, file, {...options, client})

  const reconciled = await run.reconcile({sends: 'all', client})

  const sent = fault === 'reset-before' ? 1 : 0
  expect(reconciled).toMatchObject({solved: true, exit: 'ok', sets: [{fate: 'applied', sent}]})
  expect(applied(run)).toEqual([1, 1])
})
