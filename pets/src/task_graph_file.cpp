// task_graph_file
