import {type ChildProcess, spawn, spawnSync} from 'node:child_process'
import {existsSync, readFileSync} from 'node:fs'

const pidFiles = ['/run/crond.pid', '/var/run/crond.pid', '/run/cron.pid']

/** Stops the tests before the first one where a program is missing, and starts cron where none runs. */
export default function setup(): () => void {
  const missing = ['crontab', 'systemd-analyze', 'npx', 'jq', 'python3'].filter(
    (name) => spawnSync('which', [name]).status !== 0,
  )
  if (missing.length > 0) {
    throw new Error(
      `Not found: ${missing.join(', ')}. Get them with apt-get install cron systemd jq python3, or with dnf install cronie jq python3.`,
    )
  }
  const cron = isCronRunning() ? undefined : startCron()
  return () => void cron?.kill()
}

function isCronRunning(): boolean {
  return pidFiles.some((file) => existsSync(file) && existsSync(`/proc/${readFileSync(file, 'utf8').trim()}`))
}

/** Only root can start cron, which then runs the crontabs of all users of this machine. */
function startCron(): ChildProcess {
  if (process.getuid?.() !== 0) throw new Error('Cron is not running. Start it: sudo service cron start')
  return spawn('cron', ['-f'], {stdio: 'ignore'})
}
