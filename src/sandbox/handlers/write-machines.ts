import {fieldsOf} from '../../contract/index.js'
import {toDateTime} from '../../values/date-time.js'
import {isRecord, type JsonRecord} from '../../values/json.js'
import {refuse, refuseAtGateway} from '../request/http-answer.js'
import {toKey} from '../store/keys.js'
import {checkSet, type Element} from './check-set.js'
import {findAll, findMachines, findOnly, findOwner, moveBelongings} from './existing.js'
import type {Call, WriteCall, WriteHandler} from './handler.js'
import {fillNull} from './write-sites.js'

const sentFields = Object.entries(fieldsOf('machine', 'update'))

/** Replaces machines: a field that is left out becomes null [dec]; what is read only stays. Another site moves them. */
export const updateMachines: WriteHandler = (call) => {
  const elements = checkSet(call)
  const machines = findAll('machine', elements, call, (element, machine) => checkMove(element, machine, call))
  for (const {index, record} of elements) {
    call.store.update('machine', Number(toKey(record['id'])), {...machines[index], ...toSent(record)})
  }
  return []
}

/** Gives a machine to an organization: it moves to the first site there. [pub], the site is [dec] */
export const provisionMachine: WriteHandler = (call) => {
  const {store, now} = call
  const organization = toKey(findOnly('organizationIds', call))
  const prose = findOnly('machineIdentifiers', call)
  if (store.database.get('SELECT id FROM organization WHERE id = ? AND deleted = 0', organization) === undefined) {
    throw refuse('MISSING_RECORD', 'Organization does not exist.', [Number(organization)], 'organizationIds')
  }
  const [machine] = findMachines([prose], call)
  if (!machine || machine['prose'] !== prose) {
    throw refuse('MISSING_RECORD', 'No machine has this PROSE serial.', [String(prose)], 'machineIdentifiers')
  }
  const sql = 'SELECT min(id) AS id FROM site WHERE organization_id = ? AND deleted = 0'
  const siteId = store.database.get(sql, organization)?.['id']
  if (typeof siteId !== 'number') throw refuse('GENERIC_ERROR', 'The organization has no site.', [], 'organizationIds')
  countProvisioning(call)
  const id = Number(machine['id'])
  const changes = {siteId, organizationId: Number(organization), provisionedAt: toDateTime(now)}
  store.update('machine', id, {...store.find('machine', id), ...changes})
  moveBelongings(store, [id])
  return []
}

/** The operation has a daily limit of its own, whose day ends at 00:00 UTC. [pub] */
function countProvisioning({store, now, provisionsPerDay}: Call): void {
  const today = toDateTime(now).slice(0, 10)
  const uses = Number(store.database.get('SELECT uses FROM provisioning WHERE day = ?', today)?.['uses'] ?? 0)
  if (uses >= provisionsPerDay) throw refuseAtGateway('LIMIT_EXCEEDED')
  store.database.run('INSERT OR REPLACE INTO provisioning VALUES (?, ?)', today, uses + 1)
}

function checkMove(element: Element, machine: JsonRecord | undefined, call: WriteCall): void {
  if (!machine || !element.isSound) return
  const owner = findOwner('site', 'siteId', element, call)
  if (owner === undefined || owner === Number(toKey(machine['organizationId']))) return
  call.problems.add('GENERIC_ERROR', 'siteId names a site of another organization.', element.index)
}

function toSent(record: JsonRecord): JsonRecord {
  const {id: _id, ...sent} = Object.fromEntries(
    sentFields.map(([name, {fields}]) => {
      const value = record[name] ?? null
      return [name, fields && isRecord(value) ? fillNull(value, Object.keys(fields)) : value]
    }),
  )
  return sent
}
