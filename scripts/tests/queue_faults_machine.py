"""Faults put into the queues of the machine, see test_queue_mutations.py."""

from queue_faults import faults_of

MACHINE = "common/machine"
ring = faults_of(MACHINE, "gridloom/queue/mpmc_ring.hpp", "queue_schedule_test")
slots = faults_of(MACHINE, "gridloom/queue/ring_slots.hpp", "queue_schedule_test")


MUTATIONS = [
    slots(
        "take_without_acquire",
        "return memory.get_tagged(slot_of(ticket), ticket + 1, value);",
        "return memory.get_tagged_alone(slot_of(ticket), ticket + 1, value);",
    ),
    slots(
        "look_without_looking",
        "return memory.get_tagged_alone(slot_of(ticket), ticket + 1, value);",
        "static_cast<void>(memory.get_tagged_alone(slot_of(ticket), ticket + 1, value));"
        "return true;",
    ),
    slots("publish_without_its_tag", "put_tagged(slot_of(ticket), ticket + 1, value)",
          "put_tagged(slot_of(ticket), ticket, value)"),
    slots("free_for_the_same_lap", "ticket + capacity, value", "ticket, value"),
    ring("push_without_fence", "    memory.batch_fence();  // RS.R2\n"),
    ring("publish_without_looking", "if (!has_room(memory, ticket)) return false;"),
    ring("take_without_looking", "if (!get(memory, ticket, seen)) return false;",
         "static_cast<void>(get(memory, ticket, seen));"),
    ring("take_does_not_free_its_slot", "    free(memory, ticket, seen);\n"),
    ring(
        "claim_by_store",
        "if (memory.compare_exchange_relaxed(mine, from, from + n)) {",
        "memory.store_relaxed(mine, from + n); {",
    ),
    ring("claim_without_bound", "if (room <= 0) return 0;"),
    ring("claim_more_than_there_is", "room < wanted ? room : wanted", "wanted"),
    ring("push_under_the_first_ticket", "try_publish(memory, first + rank, value)",
         "try_publish(memory, first, value)"),
    ring("pop_under_the_first_ticket", "try_take(memory, first + rank, value)",
         "try_take(memory, first, value)"),
    ring("reserve_one_only", "memory.fetch_add_relaxed(&words_->tail, n)",
         "memory.fetch_add_relaxed(&words_->tail, 1U)"),
]  # fmt: skip
