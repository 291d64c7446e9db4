import {expect, vi} from 'vitest'
import {type WriteId, writeOperation} from '../../../src/contract/index.js'
import {type JsonRecord, type JsonValue, printJson} from '../../../src/values/json.js'
import {siteHeader} from '../../support/site-lines.js'
import type {BulkOptions} from '../flow.js'
import {addSelections} from '../selections.js'
import type {RecordedRun} from './recorded-run.js'

/** A write of two rows, and how to see in the store how often each of them was applied. */
export type Route = {
  operation: WriteId
  options?: Partial<BulkOptions>
  /** The lines of the file; may make the records that it is about. */
  lines(run: RecordedRun): Promise<string[]>
  applied(run: RecordedRun): number[]
}

const selectionHeader = 'machineId,selectionNumber,price,invoicePrice,restockTo,depth,count,freeCount,commission'
const selectionCells = '1.50,0.75,10,12,8,0,0.5'
const wholeHeader = `id,${siteHeader}`

export const routes = {
  'sites.create': {
    operation: 'sites.create',
    lines: async () => [siteHeader, '201,101,Quay A,true,500,10,Net10', '202,102,Quay B,true,500,10,Net10'],
    applied: (run) => ['Quay A', 'Quay B'].map((name) => count(run.read('site'), {name})),
  },
  'sites.update': {
    operation: 'sites.update',
    lines: async () => ['id,maxChargePrice', '1001,777', '1002,777'],
    applied: (run) => [1001, 1002].map((id) => count(run.read('site'), {id, maxChargePrice: 777})),
  },
  'sites.update --replace': {
    operation: 'sites.update',
    options: {replace: true},
    lines: async () => [wholeHeader, '1001,201,101,Quay A,true,777,10,Net10', '1002,202,102,Quay B,true,777,10,Net10'],
    applied: (run) => [1001, 1002].map((id) => count(run.read('site'), {id, maxChargePrice: 777, contact: null})),
  },
  'selections.create': {
    operation: 'selections.create',
    lines: async ({sandbox}) => {
      addSelections(sandbox, 1)
      return [selectionHeader, `5003,X1,${selectionCells}`, `5004,X2,${selectionCells}`]
    },
    applied: (run) => ['X1', 'X2'].map((selectionNumber) => count(run.read('selection'), {selectionNumber})),
  },
  'selections.update': {
    operation: 'selections.update',
    lines: async ({sandbox}) => {
      const [one, other] = addSelections(sandbox, 3)
      return ['id,price', `${one},7.77`, `${other},7.77`]
    },
    applied: (run) =>
      ['T1', 'T2'].map((selectionNumber) => count(run.read('selection'), {selectionNumber, price: 7.77, count: 8})),
  },
  'machines.update': {
    operation: 'machines.update',
    lines: async () => ['id,name', '5003,Renamed A', '5004,Renamed B'],
    applied: (run) => ['Renamed A', 'Renamed B'].map((name) => count(run.read('machine'), {name})),
  },
  'alerts.create': {
    operation: 'alerts.create',
    lines: async () => ['machineId,code,message', '5003,CJ,Stuck A', '5004,CJ,Stuck B'],
    applied: (run) => ['Stuck A', 'Stuck B'].map((message) => count(run.read('alert'), {message})),
  },
  'alerts.create of one only': {
    operation: 'alerts.create',
    lines: async () => ['machineId,code,message', '5003,NC,Quiet A', '5004,NS,Quiet B'],
    applied: (run) => ['Quiet A', 'Quiet B'].map((message) => count(run.read('alert'), {message})),
  },
  'alerts.update': {
    operation: 'alerts.update',
    lines: async (run) => {
      const [one, other] = await makeAlerts(run, 2)
      return ['id,message', `${one},Seen A`, `${other},Seen B`]
    },
    applied: (run) => ['Seen A', 'Seen B'].map((message) => count(run.read('alert'), {message})),
  },
  'alerts.clear': {
    operation: 'alerts.clear',
    lines: async (run) => ['id', ...(await makeAlerts(run, 2)).map(String)],
    applied: (run) => ['Made 0', 'Made 1'].map((message) => count(run.read('alert'), {message, isCleared: true})),
  },
  'machines.custom-data.create': {
    operation: 'machines.custom-data.create',
    lines: async () => ['machineId,key,value', '5003,shelf,top', '5004,shelf,low'],
    applied: (run) => [5003, 5004].map((machineId) => count(run.read('custom_data'), {machineId, key: 'shelf'})),
  },
  'sites.delete': {
    operation: 'sites.delete',
    lines: async () => ['id', '1001', '1002'],
    applied: (run) => [1001, 1002].map((id) => 1 - count(run.read('site'), {id})),
  },
  'selections.delete': {
    operation: 'selections.delete',
    lines: async () => ['id', '20001', '20002'],
    applied: (run) => [20001, 20002].map((id) => 1 - count(run.read('selection'), {id})),
  },
  'templates.apply': {
    operation: 'templates.apply',
    lines: async () => ['machineId,templateId', '5001,412', '5006,412'],
    applied: (run) =>
      [5001, 5006].map((machineId) =>
        count(run.read('selection'), {machineId, selectionNumber: 'A0', depth: 14, restockTo: 10}),
      ),
  },
  'role-rights.create': {
    operation: 'role-rights.create',
    lines: async () => ['roleId,rightId,canView,canEdit,canExecute', '61,17,true,false,false', '62,17,true,true,false'],
    applied: (run) => [61, 62].map((roleId) => count(run.read('role_right'), {roleId, rightId: 17})),
  },
  'role-rights.update, which deletes one': {
    operation: 'role-rights.update',
    lines: async () => ['id,canView,canEdit,canExecute', '6001,false,true,false', '6002,false,false,false'],
    applied: (run) => [
      count(run.read('role_right'), {id: 6001, canView: false, canEdit: true, canExecute: false}),
      1 - count(run.read('role_right'), {id: 6002}),
    ],
  },
  'machines.settings.set': {
    operation: 'machines.settings.set',
    lines: async () => ['machineId,type,settings', '5001,Config,loud', '5002,Config,quiet'],
    applied: (run) => ['loud', 'quiet'].map((settings) => count(run.read('machine_setting'), {settings})),
  },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes

export const routeNames = Object.keys(routes) as RouteName[]

/** One route of each way to find out what became of a write, and of each way to send it again. */
export const kindsOfRoutes: readonly RouteName[] = [
  ...new Map(routeNames.toReversed().map((name) => [kindOf(routeOf(name).operation), name] as const)).values(),
].reverse()

function kindOf(id: WriteId): string {
  const {probe, repeatable} = writeOperation(id)
  return `${probe.kind} ${repeatable.when}`
}

export function routeOf(name: RouteName): Route {
  return routes[name]
}

/** Open alerts called `Made 0` and so on, which no fault meets; gives back their ids. */
export async function makeAlerts({client}: RecordedRun, many: number): Promise<JsonValue[]> {
  const records = Array.from({length: many}, (_, index) => ({machineId: 5003, code: 'CJ', message: `Made ${index}`}))
  const answer = await client.write('alerts.create', {records})
  return answer.fate === 'applied' ? answer.ids : []
}

/** Routes whose answer has no body. */
export const answerNothing = new Set<RouteName>([
  'sites.update',
  'sites.update --replace',
  'alerts.clear',
  'machines.update',
  'templates.apply',
  'sites.delete',
  'selections.delete',
])

/** Runs a route with its file. An answer that never ends is given up once the service has done the work. */
export async function runRoute(run: RecordedRun, name: RouteName, ...faults: string[]) {
  const {operation, options, lines, applied} = routeOf(name)
  const file = await lines(run)
  run.sandbox.faults.set(faults.map((fault) => (fault.includes('@') ? fault : `${fault}@${operation}#1`)))
  const isEndless = (fault: string) =>
    fault === 'stall-headers' || (fault.startsWith('drip') && !answerNothing.has(name))
  if (!faults.some(isEndless)) return run.run(operation, file, options)
  const leaving = new AbortController()
  const ran = run.run(operation, file, {...options, client: await run.leaving(leaving.signal)})
  await vi.waitFor(() => expect(applied(run)).toEqual([1, 1]), {timeout: 120_000, interval: 5})
  leaving.abort()
  return ran
}

/** Records that hold all of these. */
function count(records: readonly JsonRecord[], wanted: JsonRecord): number {
  const isLike = (record: JsonRecord) =>
    Object.entries(wanted).every(([name, value]) => printJson(record[name] ?? null) === printJson(value))
  return records.filter(isLike).length
}
