// WebRCON as a game server speaks it: the password is the path, everybody hears the log, replies go to who has asked.
import { WebSocket, WebSocketServer } from 'ws';

export interface WebRcon {
  broadcast: (message: string, type: 'Generic' | 'Chat') => void;
}

export function openWebRcon(
  { port, password }: { port: number; password: string },
  run: (line: string) => string,
): WebRcon {
  const server = new WebSocketServer({
    port,
    host: '127.0.0.1',
    maxPayload: 64 * 1024,
    perMessageDeflate: false,
  });
  const say = (socket: WebSocket, Identifier: number, Message: string, Type: string) => {
    if (socket.readyState === WebSocket.OPEN)
      socket.send(JSON.stringify({ Message, Identifier, Type, Stacktrace: '' }));
  };
  server.on('connection', (socket, { url = '/' }) => {
    socket.on('error', () => socket.terminate());
    if (decodeURIComponent(url.slice(1)) !== password) {
      socket.close();
      return;
    }
    socket.on('message', (data) => {
      const request = JSON.parse((data as Buffer).toString()) as { Identifier: number; Message: string };
      say(socket, request.Identifier, run(request.Message), 'Generic');
    });
  });
  server.on('error', (error) => console.error(`RCON cannot listen: ${error.message}`));
  return {
    broadcast: (message, type) => {
      for (const socket of server.clients) say(socket, type === 'Chat' ? -1 : 0, message, type);
    },
  };
}
