import {spawnSync} from 'node:child_process'
import {existsSync} from 'node:fs'

const places = {
  rclone: ['rclone'],
  sshd: ['/usr/sbin/sshd', 'sshd'],
  'ssh-keygen': ['ssh-keygen'],
  sftp: ['sftp'],
}

/** A program of these tests. Throws how to get it when it is missing. */
export function findProgram(name: keyof typeof places): string {
  const found = places[name].find(isProgram)
  if (found !== undefined) return found
  throw new Error(
    `${name} was not found. Get the programs of these tests with apt-get install rclone openssh-server ` +
      'openssh-client, dnf install rclone openssh-server openssh-clients, or brew install rclone.',
  )
}

function isProgram(place: string): boolean {
  return place.includes('/') ? existsSync(place) : spawnSync('which', [place]).status === 0
}

/** Stops the tests before the first one where a program is missing. */
export default function setup(): void {
  for (const name of ['rclone', 'sshd', 'ssh-keygen', 'sftp'] as const) findProgram(name)
}
