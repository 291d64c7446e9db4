import {type ChildProcess, execFileSync, spawn} from 'node:child_process'
import {copyFileSync, existsSync, mkdirSync, writeFileSync} from 'node:fs'
import {connect, createServer} from 'node:net'
import {userInfo} from 'node:os'
import {join} from 'node:path'
import {vi} from 'vitest'
import {findProgram} from './find-programs.js'

/** An SSH server of this test with keys of its own; `config` leads clients to it under the name `files`. */
export async function startSshServer(folder: string): Promise<{config: string; child: ChildProcess}> {
  const key = join(folder, 'key')
  const keygen = findProgram('ssh-keygen')
  for (const path of [key, join(folder, 'host')]) execFileSync(keygen, ['-q', '-t', 'ed25519', '-N', '', '-f', path])
  copyFileSync(`${key}.pub`, join(folder, 'authorized'))
  if (userInfo().uid === 0 && !existsSync('/run/sshd')) mkdirSync('/run/sshd', {mode: 0o755}) // a server of root needs it
  const port = await findPort()
  const server = [
    ...[`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${join(folder, 'host')}`, 'PidFile none'],
    ...[`AuthorizedKeysFile ${join(folder, 'authorized')}`, 'StrictModes no', 'UsePAM no', 'PasswordAuthentication no'],
    `Subsystem sftp internal-sftp -d ${folder}`,
  ]
  const client = [
    ...['Host files', 'HostName 127.0.0.1', `Port ${port}`, `User ${userInfo().username}`, `IdentityFile ${key}`],
    ...['IdentitiesOnly yes', 'StrictHostKeyChecking no', `UserKnownHostsFile ${join(folder, 'known')}`],
  ]
  const config = join(folder, 'client')
  writeFileSync(join(folder, 'server'), `${server.join('\n')}\n`)
  writeFileSync(config, `${client.join('\n')}\n`)
  const child = spawn(findProgram('sshd'), ['-D', '-e', '-f', join(folder, 'server')], {stdio: 'ignore'})
  await vi.waitFor(() => answers(port), {timeout: 20_000})
  return {config, child}
}

function findPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })
}

function answers(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.end()
      resolve()
    })
    socket.on('error', reject)
  })
}
