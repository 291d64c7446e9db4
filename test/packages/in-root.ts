import {execFileSync, spawnSync} from 'node:child_process'
import {expect} from 'vitest'

/** Runs a script with a folder as its root and nothing of this machine but the kernel; ends what it started. */
export function runInRoot(folder: string, script: string, {mounts = '', user = '0'} = {}): string {
  const inner = `${mounts}mount -t proc proc '${folder}/proc'; exec chroot --userspec=${user}:${user} '${folder}' sh -euc "$0"`
  const {status, stdout, stderr} = spawnSync('unshare', ['-mpf', 'sh', '-euc', inner, script], {
    env: {PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/tmp/home', LANG: 'C.UTF-8'},
    encoding: 'utf8',
  })
  expect(status, `${stdout}${stderr}`).toBe(0)
  return stdout
}

/** The paths of all files and folders below a root, without what package managers and manuals note for themselves. */
export function listRoot(folder: string): string[] {
  const notes = /^(var\/(lib\/(dpkg|rpm)|cache|log)|proc|tmp|root)(\/|$)/
  return execFileSync('find', [folder, '-printf', '%P\\n'], {encoding: 'utf8', maxBuffer: 16 * 1024 * 1024})
    .split('\n')
    .filter((path) => !notes.test(path))
    .sort()
}
