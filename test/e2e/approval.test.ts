import {execFileSync} from 'node:child_process'
import {hash} from 'node:crypto'
import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {requestsOf, test} from '../support/binary.js'
import {onTerminal} from '../support/on-terminal.js'
import {sharedPostgres} from '../support/postgres.js'

const change = ['sites', 'update', '1014', '1015', '--set', 'maxChargePrice=777']
const planned = [...change, '--dry-run', '--plan-out', 'plan.json', '--overwrite']
const apply = ['sites', 'update', '--apply-plan', 'plan.json', '--yes']
const approve = '$vendorctl plan approve plan.json'

/** A new ssh key of somebody; its public half. */
function makeKey(folder: string, name: string): string {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', join(folder, name)])
  return readFileSync(join(folder, `${name}.pub`), 'utf8')
}

/** The same plan, made by another person. */
function makeBy(path: string, by: string): void {
  const [head = ''] = readFileSync(path, 'utf8').split('  "digest":')
  const made = head.replace(/"by": "[^"]*"/, `"by": "${by}"`)
  writeFileSync(path, `${made}  "digest": "${hash('sha256', made)}"\n}\n`)
}

describe.concurrent('a profile with approval=required', () => {
  test('sends only a plan that a person approved, and once', async ({run, environment, sandbox}) => {
    const demanding = {environment: {VENDORCTL_APPROVAL: 'required'}}
    const own = {...environment, VENDORCTL_APPROVAL: 'required'}

    const [bare, dry] = [await run([...change, '--yes'], demanding), await run(planned, demanding)]
    const early = await run(apply, demanding)
    const asked = await run(['plan', 'approve', 'plan.json'], demanding)
    const unasked = await onTerminal(`${approve} --json`, own, ['2\r'])
    const no = await onTerminal(approve, own, ['3\r'])
    const yes = await onTerminal(approve, own, ['2\r'])
    const [sent, again] = [await run(apply, demanding), await run(apply, demanding)]
    const audit = await run(['runs', 'audit', '--json'])

    expect([bare, dry, early, asked].map(({exitCode}) => exitCode)).toEqual([14, 0, 14, 2])
    expect(early.stderr).toContain('plan.json.approval is not there; nothing was sent.')
    expect(early.stderr).not.toContain('Nothing was changed.')
    expect(early.stderr).toContain('→ Approve it: vendorctl plan approve plan.json')
    expect(unasked.exitCode).toBe(2)
    expect([no.exitCode, yes.exitCode, sent.exitCode, again.exitCode]).toEqual([1, 0, 0, 0]) // nothing is left to do then
    expect(yes.screen).toContain('Type 2 to approve sites update in default')
    expect(yes.screen).toContain('Send it with: vendorctl sites update --apply-plan plan.json --profile default')
    expect(JSON.parse(audit.stdout).data[0].approvedBy).toMatch(/.+@.+/)
    expect(requestsOf(sandbox)['sites.update']).toBe(1)
  })

  test('takes no approval that was changed or expired, and no raw write', async ({run, environment, sandbox, home}) => {
    const demanding = {environment: {VENDORCTL_APPROVAL: 'required'}}
    const path = join(home.path, 'plan.json.approval')
    await run(planned)
    await onTerminal(approve, {...environment, VENDORCTL_APPROVAL: 'required'}, ['2\r'])
    const good = readFileSync(path, 'utf8')
    const refusedWith = async (text: string) => {
      writeFileSync(path, text)
      const {exitCode, stderr} = await run(apply, demanding)
      expect(exitCode).toBe(14)
      return stderr
    }

    const later = await refusedWith(good.replace(/"expires": "20/, '"expires": "21'))
    const other = await refusedWith(good.replace(/(?<="signature": ")./, (sign) => (sign === '0' ? '1' : '0')))
    await run([...planned, '--set-size', '1'])
    const ofAnother = await refusedWith(good)
    const routes = ['POST /alerts/clear', 'PUT /sites', 'patch /sites', 'DELETE /sites', 'POST /sites']
    const raw: (number | null)[] = []
    for (const route of routes) raw.push((await run(['api', ...route.split(' ')], demanding)).exitCode)

    expect(later).toContain('valid only for who gave it, on the same machine, and unchanged')
    expect(later).toContain('→ Approve again: vendorctl plan approve plan.json\n')
    expect(other).toContain('and unchanged')
    expect(ofAnother).toContain('it is of another plan, or the plan was changed since')
    expect(raw).toEqual([14, 14, 14, 14, 0]) // the last is how some services are read
    expect(requestsOf(sandbox)['sites.update']).toBeUndefined()
  })

  test('counts an approval once, also after a run that was refused', async ({start}) => {
    const {run, environment, sandbox} = await start({faults: ['status(400)@sites.update#1']})
    const demanding = {environment: {VENDORCTL_APPROVAL: 'required'}}
    await run(planned)
    await onTerminal(approve, {...environment, VENDORCTL_APPROVAL: 'required'}, ['2\r'])

    const refused = await run(apply, demanding)
    const again = await run(apply, demanding)

    expect(refused.exitCode).toBe(5)
    expect(again.exitCode).toBe(14)
    expect(again.stderr).toContain('the approval was used already')
    expect(requestsOf(sandbox)['sites.update']).toBe(1)
  })

  test('counts an approval once on all machines that share a database', async ({start, home}) => {
    const {run, environment, sandbox} = await start({faults: ['status(400)@sites.update#1']})
    const budget = await (await sharedPostgres()).database()
    writeFileSync(join(home.path, 'signers'), `grace@example.com ${makeKey(home.path, 'grace')}`)
    const own = {
      VENDORCTL_APPROVAL: 'required',
      VENDORCTL_APPROVERS: join(home.path, 'signers'),
      VENDORCTL_BUDGET: budget,
    }
    const on = (machine: string) => ({environment: {...own, XDG_STATE_HOME: join(home.path, `state-${machine}`)}})
    await run(planned)
    await onTerminal(`${approve} --ssh-key ${join(home.path, 'grace')}`, {...environment, ...own}, ['2\r'])

    const refused = await run(apply, on('one'))
    const again = await run(apply, on('other'))

    expect([refused.exitCode, again.exitCode]).toEqual([5, 14])
    expect(again.stderr).toContain('the approval was used already, on another machine')
    expect(requestsOf(sandbox)['sites.update']).toBe(1)
  })

  test('undoes a run by an approved plan of that run', async ({run, environment}) => {
    const demanding = {environment: {VENDORCTL_APPROVAL: 'required'}}
    const ran = JSON.parse((await run([...change, '--yes', '--json'])).stdout)
    const later = JSON.parse(
      (await run([...change, '--set', 'isActive=true', '--send-unchanged', '--yes', '--json'])).stdout,
    )
    const undo = ['runs', 'undo', ran.runId]

    const bare = await run([...undo, '--yes'], demanding)
    await run([...undo, '--dry-run', '--plan-out', 'plan.json'], demanding)
    await onTerminal(approve, {...environment, VENDORCTL_APPROVAL: 'required'}, ['2\r'])
    const ofAnother = await run(['runs', 'undo', later.runId, '--apply-plan', 'plan.json', '--yes'], demanding)
    const undone = await run([...undo, '--apply-plan', 'plan.json', '--yes'], demanding)
    const runs = JSON.parse((await run(['runs', 'list', '--json'])).stdout).data

    expect([bare, ofAnother, undone].map(({exitCode}) => exitCode)).toEqual([14, 2, 0])
    expect(ofAnother.stderr).toContain(`is a plan of runs undo ${ran.runId}, not of runs undo ${later.runId}`)
    expect(runs.find(({id}: {id: string}) => id === ran.runId).undoneBy).toBeTruthy()
  })

  test('counts the ssh keys of its approvers only, and no variable weakens it', async ({run, environment, home}) => {
    const folder = join(home.path, 'keys')
    mkdirSync(folder)
    const known = makeKey(folder, 'grace')
    makeKey(folder, 'mallory')
    writeFileSync(join(folder, 'signers'), `grace@example.com ${known}`)
    const demanding = {
      environment: {VENDORCTL_APPROVAL: 'required:other', VENDORCTL_APPROVERS: join(folder, 'signers')},
    }
    const own = {...environment, ...demanding.environment}
    await run(planned)
    const by = (name: string, given = own) => onTerminal(`${approve} --ssh-key ${join(folder, name)}`, given, ['2\r'])

    const early = await by('mallory')
    await by('mallory', {...own, VENDORCTL_APPROVERS: ''})
    const stranger = await run(apply, demanding)
    await by('grace')
    const sameUser = await run(apply, demanding)
    makeBy(join(home.path, 'plan.json'), 'ada@desk')
    await by('grace')
    const otherUser = await run(apply, demanding)
    rmSync(folder, {recursive: true})

    expect([early, stranger].map(({exitCode}) => exitCode)).toEqual([14, 14])
    expect(early.screen).toContain('it is signed by nobody of')
    expect(stranger.stderr).toContain('it is signed by nobody of')
    expect(sameUser.stderr).toContain('must approve it') // who made the plan approved it as the same user
    expect(otherUser.exitCode).toBe(0)
  })
})
