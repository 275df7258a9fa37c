import type { Words } from './sentences.ts'

export const es: Words = {
  kinds: {
    limits: 'los límites de tu plan',
    endingLinks: 'los enlaces que terminan pronto',
    blockedLinks: 'los enlaces bloqueados',
    deadLinks: 'los enlaces cuya dirección no responde',
    webhooks: 'los webhooks desactivados',
    imports: 'las importaciones terminadas',
    weekly: 'los números de la semana',
    others: 'los mensajes de los plugins',
  },
  because: (brand, about) => `${brand} te escribe sobre ${about}.`,
  end: 'Dejar de recibir estos correos',
  choose: 'Elegir lo que recibes',
  more: n => (n === 1 ? 'Y uno más.' : `Y ${n} más.`),
  limits: {
    subject: isReached =>
      isReached ? 'Se alcanzó un límite de tu plan' : 'Casi se ha alcanzado un límite de tu plan',
    lead: 'Esto se ha usado de lo que incluye tu plan:',
    names: {
      maxLinksCreatedPerMonth: 'Enlaces nuevos este mes',
      maxTrackedVisitsPerMonth: 'Visitas contadas este mes',
      maxTags: 'Etiquetas',
      maxCampaigns: 'Campañas',
    },
    used: (used, limit) => `${used} de ${limit}`,
    nextMonth: 'La cuenta empieza de nuevo el primer día del mes que viene (UTC).',
  },
  endingLinks: {
    subject: n => (n === 1 ? 'Un enlace termina pronto' : `${n} enlaces terminan pronto`),
    lead: 'Después los visitantes no podrán continuar, a no ser que elijas otro final.',
    on: date => `Termina el ${date}`,
    left: n => (n === 1 ? 'Queda una visita' : `Quedan ${n} visitas`),
  },
  blockedLinks: {
    subject: n => (n === 1 ? 'Un enlace está bloqueado' : `${n} enlaces están bloqueados`),
    lead: 'La dirección resultó ser dañina. Los visitantes ven una página que lo dice.',
  },
  deadLinks: {
    subject: n =>
      n === 1
        ? 'La dirección de un enlace no responde'
        : `Las direcciones de ${n} enlaces no responden`,
    lead: 'Los visitantes siguen siendo enviados allí.',
  },
  leadsTo: address => `Lleva a ${address}`,
  webhooks: {
    subject: n => (n === 1 ? 'Un webhook está desactivado' : `${n} webhooks están desactivados`),
    lead: 'No se envía nada hasta que lo actives de nuevo. Lo que se pierda se guarda siete días y podrá enviarse entonces.',
    failing: 'No aceptó nada durante cinco días.',
    gone: 'Respondió 410: no quiere recibir nada más.',
    open: 'Abrir los webhooks',
  },
  imports: {
    subject: isDone => (isDone ? 'Una importación ha terminado' : 'Una importación se ha detenido'),
    from: source => `Desde ${source}`,
    counts: (made, refused, visits) =>
      `Enlaces creados: ${made}; rechazados: ${refused}; visitas: ${visits}`,
    open: 'Abrir las importaciones',
  },
  weekly: {
    subject: visits => `Tus enlaces la semana pasada: ${visits} visitas`,
    lead: (visits, from, to) => `${visits} visitas del ${from} al ${to}.`,
    change: percent =>
      percent === null
        ? 'La semana anterior no hubo ninguna.'
        : percent === 0
          ? 'Tantas como la semana anterior.'
          : `Un ${Math.abs(percent)} % ${percent > 0 ? 'más' : 'menos'} que la semana anterior.`,
    row: (visits, before) => `Visitas: ${visits}; la semana anterior: ${before}`,
    open: 'Abrir las estadísticas',
  },
  others: { subject: n => `${n} mensajes` },
  test: {
    subject: brand => `Una prueba de ${brand}`,
    lead: 'Lo que elegiste recibir te llega a esta dirección.',
  },
  stop: {
    ask: about => `¿Dejar de recibir correos sobre ${about}?`,
    asked: 'Puedes elegirlos de nuevo en tus ajustes.',
    done: 'Ya no recibirás estos correos',
    back: 'Abrir los ajustes',
  },
}
