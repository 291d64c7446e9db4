import {type JsonRecord, type JsonValue, printJson} from '../../../values/json.js'
import {thousands} from '../../../values/thousands.js'
import {simpleTable} from '../../terminal/simple-table.js'

type Group = {alerts: number; machines: Set<string>; sites: Set<string>}

/** How many alerts there are at how many machines and sites, by code. */
export async function countAlerts(alerts: readonly JsonRecord[]): Promise<string> {
  const groups = new Map<string, Group>()
  const all = createGroup()
  for (const alert of alerts) {
    const code = textOf(alert['code'])
    const group = groups.get(code) ?? createGroup()
    groups.set(code, group)
    add(group, alert)
    add(all, alert)
  }

  const rows = [...groups].sort(([, one], [, other]) => other.alerts - one.alerts)
  const table = await simpleTable(
    ['code', 'open alerts', 'machines', 'sites'],
    rows.map(([code, group]) => [code, ...toCells(group)]),
    process.stderr,
  )
  return `${table}${describeSites(alerts)}${all.alerts} open ${plural('alert', all.alerts)} at ${all.machines.size} ${plural('machine', all.machines.size)}, ${all.sites.size} ${plural('site', all.sites.size)}.`
}

const sitesNamed = 10

/** The sites with the most alerts, where there are several. */
function describeSites(alerts: readonly JsonRecord[]): string {
  const counts = new Map<string, number>()
  for (const {siteId = null} of alerts) counts.set(textOf(siteId), (counts.get(textOf(siteId)) ?? 0) + 1)
  if (counts.size < 2) return ''
  const first = [...counts].sort(([, one], [, other]) => other - one).slice(0, sitesNamed)
  const more = counts.size - first.length
  const named = first.map(([site, count]) => `${site} (${count})`).join(', ')
  return `By site: ${named}${more > 0 ? ` and ${thousands(more)} more` : ''}.\n`
}

function createGroup(): Group {
  return {alerts: 0, machines: new Set(), sites: new Set()}
}

function add(group: Group, {machineId, siteId}: JsonRecord): void {
  group.alerts++
  if (machineId !== undefined && machineId !== null) group.machines.add(textOf(machineId))
  if (siteId !== undefined && siteId !== null) group.sites.add(textOf(siteId))
}

function toCells({alerts, machines, sites}: Group): string[] {
  return [alerts, machines.size, sites.size].map(String)
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : printJson(value ?? null)
}

function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`
}
