import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {renderIndexes} from '../../derive/mirror/render-sql.js'
import {type FoundColumn, isMirror, planMirror} from '../../derive/mirror/upgrade.js'
import {isSameService, type ServiceKey} from '../../values/service.js'
import {type MirrorDatabase, parameter, type Statements} from '../load/mirror-database.js'

/** A fact of the mirror about itself, by name. */
export async function readState(db: Statements, name: string): Promise<string | undefined> {
  const [row] = await db.all(
    `SELECT value FROM ${db.table('vendorctl_mirror')} WHERE name = ${parameter(db.dialect, 1)}`,
    name,
  )
  return row && String(row['value'])
}

export async function writeState(db: Statements, name: string, value: string): Promise<void> {
  const [one, two] = [parameter(db.dialect, 1), parameter(db.dialect, 2)]
  await db.run(
    `INSERT INTO ${db.table('vendorctl_mirror')} (name, value) VALUES (${one}, ${two}) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    name,
    value,
  )
}

/** Removes the facts whose names are at or after `from` and before `to`. */
export async function removeState(db: Statements, from: string, to: string): Promise<void> {
  const [one, two] = [parameter(db.dialect, 1), parameter(db.dialect, 2)]
  const byBytes = db.dialect === 'postgres' ? 'name COLLATE "C"' : 'name'
  await db.run(
    `DELETE FROM ${db.table('vendorctl_mirror')} WHERE ${byBytes} >= ${one} AND ${byBytes} < ${two}`,
    from,
    to,
  )
}

/** What the database needs to be a mirror of this version; throws as `openState` does when it cannot be one. */
async function findPlan(db: MirrorDatabase) {
  const found = (await db.find()) as unknown as FoundColumn[]
  const version = isMirror(found) ? ((await readState(db, 'schema')) ?? '') : undefined
  const plan = planMirror(db.dialect, found, version)
  if (plan.kind === 'foreign')
    throw new CliFailure(`${db.name} has ${plan.name}, which is not of a mirror: ${plan.why}. Nothing was changed.`, {
      code: 'FOREIGN_DATABASE',
      hints: ['Name another database with --db; in PostgreSQL another schema will do, by the search_path of the user.'],
    })
  if (plan.kind === 'newer') throw newer(db, plan.version, await readState(db, 'tool'))
  return plan
}

/**
 * Makes the tables, or brings them up to date. Indexes of new tables are left for the end: they cost less when the
 * rows are there. Throws a `CliFailure`: `usage` for tables that are not of a mirror, and for a mirror of another service or key.
 */
export async function openState(
  db: MirrorDatabase,
  source: ServiceKey,
): Promise<{isNew: boolean; widened: readonly string[]}> {
  const plan = await findPlan(db)
  const isNew = plan.kind === 'new'
  if (!isNew) await checkSource(db, source)
  const later = new Set(renderIndexes())
  const statements = plan.statements.filter((statement) => !isNew || !later.has(statement))
  if (statements.length > 0 || isNew) {
    await db.transaction(async () => {
      await db.define(statements)
      const {baseUrl, stage, keyFingerprint} = source
      await writeState(db, 'service', baseUrl)
      await writeState(db, 'stage', stage)
      await writeState(db, 'key', keyFingerprint)
    })
  }
  return {isNew, widened: plan.kind === 'ours' ? plan.widened : []}
}

/** Whether the mirror has tables, for an estimate; nothing is made. */
export async function peekState(db: MirrorDatabase, source: ServiceKey): Promise<boolean> {
  const plan = await findPlan(db)
  if (plan.kind === 'new') return false
  await checkSource(db, source)
  return true
}

async function checkSource(db: MirrorDatabase, {baseUrl, stage, keyFingerprint}: ServiceKey): Promise<void> {
  const [ofService, ofStage, ofKey] = [
    await readState(db, 'service'),
    await readState(db, 'stage'),
    await readState(db, 'key'),
  ]
  if (ofService === undefined) return
  if (!isSameService(ofService, baseUrl) || ofStage !== stage)
    throw otherSource(db, `${ofService} (${ofStage}), not ${baseUrl} (${stage})`)
  if (ofKey !== keyFingerprint) throw otherSource(db, `the key ${ofKey}, not ${keyFingerprint}`)
}

function otherSource({name}: MirrorDatabase, what: string): CliFailure {
  return new CliFailure(`${name} mirrors ${what}; nothing was changed.`, {
    code: 'OTHER_SERVICE',
    hints: ['Name another database with --db, or the profile that it was filled with: --profile'],
  })
}

/** `tool` is the program that filled it, such as `vendorctl 2.0.0`. */
function newer({name}: MirrorDatabase, version: string, tool: string | undefined): CliFailure {
  return new CliFailure(
    `${name} was filled by ${tool ?? 'vendorctl'}, a later version (tables ${version}); nothing was changed.`,
    {
      code: 'MIRROR_NEWER',
      hints: [
        tool === undefined ? 'Update vendorctl.' : `Use ${tool} or later.`,
        `See what it has: ${commandLine('sql', ['select * from vendorctl_mirror'], {db: name})}`,
      ],
    },
  )
}
